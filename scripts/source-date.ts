import {execFileSync} from 'node:child_process';

/**
 * Returns the time, in seconds since 1970, that everything in a package bears: `SOURCE_DATE_EPOCH`, or else that of the
 * commit, so that two builds of one commit are the same bytes.
 */
export const readSourceDate = (env: NodeJS.ProcessEnv = process.env): number => {
  const given = env.SOURCE_DATE_EPOCH ?? execFileSync('git', ['log', '-1', '--format=%ct'], {encoding: 'utf8'}).trim();
  if (!/^\d{1,10}$/.test(given)) {
    throw new Error(`SOURCE_DATE_EPOCH: expected seconds since 1970, got "${given}"`);
  }
  return Number(given);
};
