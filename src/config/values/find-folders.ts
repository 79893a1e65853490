import {isAbsolute, join} from 'node:path';

// XDG base directory specification 0.8: a relative path in these variables is to be ignored.
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

/** Where the config file is looked for; undefined without XDG_CONFIG_HOME and without a home folder. */
export const findConfigFolder = (env: NodeJS.ProcessEnv, homeFolder: string | undefined): string | undefined =>
  findFolder(env.XDG_CONFIG_HOME, homeFolder, ['.config']);

/** Where what was opened before is remembered; undefined without XDG_STATE_HOME and without a home folder. */
export const findStateFolder = (env: NodeJS.ProcessEnv, homeFolder: string | undefined): string | undefined =>
  findFolder(env.XDG_STATE_HOME, homeFolder, ['.local', 'state']);
