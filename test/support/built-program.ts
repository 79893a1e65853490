import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** The executable under test; undefined for the program as npm installs it. Set by `npm run test:executable`. */
export const executable = process.env.BRANCHLOG_EXECUTABLE;

/** Belongs into the environment of a program under test, so that V8 compiles it once for all tests. */
export const compiledOnce = {NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE};

/**
 * The command that starts the built program, and its first argument. `env` replaces itself with the executable, so that
 * both ways are two words and one process.
 */
export const builtProgram = {
  command: executable === undefined ? process.execPath : '/usr/bin/env',
  launcher: executable ?? join(import.meta.dirname, '../../bin/branchlog.js'),
};

/** Puts the built program as `branchlog` into a folder of its own below this one. Returns that folder, for PATH. */
export const installProgram = (folder: string): string => {
  const bin = join(folder, 'bin');
  const {command, launcher} = builtProgram;
  mkdirSync(bin, {recursive: true});
  writeFileSync(join(bin, 'branchlog'), `#!/bin/sh\nexec '${command}' '${launcher}' "$@"\n`, {mode: 0o755});
  return bin;
};
