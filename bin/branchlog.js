#!/usr/bin/env node
// The launcher: checks the Node version, sets production mode, loads the program.
// It must parse on every Node from 18 on, so that an old one gets a sentence and no stack trace.
import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {constants} from 'node:os';
import {fileURLToPath} from 'node:url';
import {setFlagsFromString} from 'node:v8';

const nodeMajorMin = 24;
const here = path => fileURLToPath(new URL(path, import.meta.url));

const fail = sentence => {
  process.stderr.write(`branchlog: ${sentence}\n`);
  process.exitCode = 1;
};

/** The npm package `node` in package.json brings the right Node to every machine; it takes over where the system's is older. */
const bundledNode = () => {
  const candidates = [here('../node_modules/node/bin/node'), here('../../node/bin/node')];
  return candidates.find(path => existsSync(path));
};

const runWith = node => {
  const child = spawn(node, [here('./branchlog.js'), ...process.argv.slice(2)], {stdio: 'inherit'});
  // The terminal sends SIGINT and SIGTSTP to the whole group; what is sent to this process alone must be handed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', error => fail(`cannot start ${node}: ${error.message}`));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
};

if (Number.parseInt(process.versions.node, 10) >= nodeMajorMin) {
  // V8 would let the heap grow to several times what is held before it tidies up; a bastion host has other users.
  setFlagsFromString('--optimize-for-size');
  // React's development build keeps a performance entry for every render until memory is gone.
  process.env.NODE_ENV = 'production';
  if (existsSync(here('../dist/main.js'))) {
    await import('../dist/main.js');
  } else {
    fail('not built yet. In a checkout, run `npm ci && npm run build` first.');
  }
} else {
  const node = process.env.BRANCHLOG_LAUNCHED ? undefined : bundledNode();
  if (node) {
    process.env.BRANCHLOG_LAUNCHED = '1';
    runWith(node);
  } else {
    fail(
      `needs Node ${nodeMajorMin} or newer, this is ${process.versions.node}. In a checkout, \`npm ci\` brings one along; elsewhere install it from your package manager.`,
    );
  }
}
