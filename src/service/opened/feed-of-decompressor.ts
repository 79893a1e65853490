import {sep} from 'node:path';
import {runCommand} from '#service/command/run-command.ts';
import type {ByteFeed} from './byte-feed.ts';

/** Kept of what a decompressor says, in bytes: its first line tells what is wrong. */
const saidBytesMax = 1024;

/**
 * Decompresses a file with a program. What that says on its standard error is no line of the file, but why it is not
 * whole: bzip2 ends with 0, too, where it ignores the rest of a file.
 */
export const feedOfDecompressor = (program: string, path: string, onChange: () => void): ByteFeed => {
  let said = Buffer.alloc(0);
  const run = runCommand({
    command: [program, '-dc', '--', path],
    folder: sep,
    onChange,
    onErrorOutput: bytes => {
      said = Buffer.concat([said, bytes.subarray(0, saidBytesMax - said.length)]);
    },
  });
  return {
    ...run,
    outcome: () => {
      const ended = run.outcome();
      if (ended === undefined || (ended === 'ended with exit code 0' && said.length === 0)) {
        return ended;
      }
      const [, first = `${program} ${ended}`] = /^\s*(\S.*?)[\s;.]*$/m.exec(said.toString()) ?? [];
      return `cannot be read any further (${first.replace(`${path}: `, '')})`;
    },
  };
};
