import {isAbsolute, join, resolve} from 'node:path';
import {ConfigError} from './table-reader.ts';

/**
 * Returns an absolute path: `~` is the home folder, a relative path starts at `folder`.
 * Throws a `ConfigError` if the home folder is needed but unknown; `where` names the setting.
 */
export const expandPath = (path: string, folder: string, homeFolder: string | undefined, where: string): string => {
  if (path !== '~' && !path.startsWith('~/')) {
    return resolve(folder, path);
  }
  if (!homeFolder) {
    throw new ConfigError(`${where}: "~" stands for the home folder, which is not known here: write the whole path`);
  }
  return join(homeFolder, path.slice(1));
};

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
