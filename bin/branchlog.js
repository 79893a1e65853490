#!/usr/bin/env node
// The launcher: checks the Node version, sets production mode, loads the program.
// It must parse on every Node from 18 on, so that an old Node prints a sentence and not a stack trace. It imports nothing
// before the program: loading Node's own modules would noticeably delay the first screen.

const nodeMajorMin = 24;

const fail = sentence => {
  process.stderr.write(`branchlog: ${sentence}\n`);
  process.exitCode = 1;
};

const findHere = async path => {
  const [{existsSync}, {fileURLToPath}] = await Promise.all([import('node:fs'), import('node:url')]);
  const found = fileURLToPath(new URL(path, import.meta.url));
  return existsSync(found) ? found : undefined;
};

/** The npm package `node` in package.json installs the right Node everywhere; it is used if the system's is too old. */
const findBundledNode = async () =>
  (await findHere('../node_modules/node/bin/node')) ?? (await findHere('../../node/bin/node'));

const runWith = async node => {
  const [{spawn}, {constants}] = await Promise.all([import('node:child_process'), import('node:os')]);
  const child = spawn(node, [process.argv[1], ...process.argv.slice(2)], {stdio: 'inherit'});
  // The terminal signals the whole group (SIGINT, SIGTSTP); signals sent to this process alone must be forwarded.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', error => fail(`cannot start ${node}: ${error.message}`));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
};

/**
 * Creates the cache folder if needed. Returns whether only this user can write to it: code from there runs as the user.
 * One level at a time, because Node's recursive mkdir never returns below /proc.
 */
const isOurs = (base, folder) => {
  const {lstatSync, mkdirSync, statSync} = process.getBuiltinModule('node:fs');
  const user = process.getuid?.();
  for (const path of [base, folder]) {
    try {
      mkdirSync(path, 0o700);
    } catch {
      // It exists, or the next call fails.
    }
  }
  try {
    const [above, own] = [statSync(base), lstatSync(folder)];
    const isStable =
      (above.uid === user || above.uid === 0) && ((above.mode & 0o002) === 0 || (above.mode & 0o1000) !== 0);
    return isStable && own.isDirectory() && own.uid === user && (own.mode & 0o022) === 0;
  } catch {
    return false;
  }
};

/**
 * Caches V8's compiled code of the program's files in the user's cache folder, which saves a tenth of the startup time.
 * Starts without the cache if that folder is unknown, cannot be used or may be written by others.
 */
const keepCompiled = ({XDG_CACHE_HOME: named = '', HOME: home = ''}) => {
  const base = named.startsWith('/') ? named : home.startsWith('/') ? `${home}/.cache` : undefined;
  if (base !== undefined && isOurs(base, `${base}/branchlog`)) {
    // Node makes a folder in it, with the modes that the user's mask allows.
    const mask = process.umask(0o077);
    process.getBuiltinModule('node:module').enableCompileCache(`${base}/branchlog`);
    process.umask(mask);
  }
};

/** They make Node write among the lines, requests with their tokens included, or trust any certificate. */
const unwanted = [
  'NODE_DEBUG',
  'NODE_DEBUG_NATIVE',
  'NODE_PENDING_DEPRECATION',
  'NODE_REDIRECT_WARNINGS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
];

/** Starts this process again without them: Node has read them by now. */
const withoutUnwanted = () => {
  if (unwanted.some(name => name in process.env)) {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwanted.includes(name)));
    process.execve(process.execPath, [process.argv0, ...process.execArgv, ...process.argv.slice(1)], env);
  }
};

const load = async () => {
  withoutUnwanted();
  // Node's own handler opens a debugger port, and says so in the middle of the screen.
  process.on('SIGUSR1', () => {});
  // React's development build keeps a performance entry for every render until memory runs out.
  process.env.NODE_ENV = 'production';
  keepCompiled(process.env);
  try {
    await import('../dist/main.js');
  } catch (error) {
    if (await findHere('../dist/main.js')) {
      throw error;
    }
    fail('not built yet. In a checkout, run `npm ci && npm run build` first.');
  }
};

if (Number.parseInt(process.versions.node, 10) >= nodeMajorMin) {
  await load();
} else {
  const node = process.env.BRANCHLOG_LAUNCHED ? undefined : await findBundledNode();
  if (node) {
    process.env.BRANCHLOG_LAUNCHED = '1';
    await runWith(node);
  } else {
    fail(
      `needs Node ${nodeMajorMin} or newer, this is ${process.versions.node}. In a checkout, \`npm ci\` brings one along; elsewhere install it from your package manager.`,
    );
  }
}
