import {join, resolve} from 'node:path';
import {ConfigError} from './config-error.ts';

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
