import {isAbsolute, join} from 'node:path';

// XDG base directory specification 0.8: relative paths in these variables must be ignored.
const findFolder = (
  variable: string | undefined,
  homeFolder: string | undefined,
  fallback: readonly string[],
): string | undefined => {
  if (variable && isAbsolute(variable)) {
    return join(variable, 'branchlog');
  }
  return homeFolder ? join(homeFolder, ...fallback, 'branchlog') : undefined;
};

/** Returns the folder of the config file; undefined if neither XDG_CONFIG_HOME nor a home folder is set. */
export const findConfigFolder = (env: NodeJS.ProcessEnv, homeFolder: string | undefined): string | undefined =>
  findFolder(env.XDG_CONFIG_HOME, homeFolder, ['.config']);

/**
 * Returns the folder for what is remembered between runs; undefined if neither XDG_STATE_HOME nor a home folder is set.
 */
export const findStateFolder = (env: NodeJS.ProcessEnv, homeFolder: string | undefined): string | undefined =>
  findFolder(env.XDG_STATE_HOME, homeFolder, ['.local', 'state']);
