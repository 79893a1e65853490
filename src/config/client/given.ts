import {ConfigError} from '../values/config-error.ts';

/** A value, and the flag, variable or key it came from, for messages. */
export type Given = {readonly value: string; readonly where: string};

/** The settings that every command accepts as a flag, such as `--base-url`, and as a variable, `BRANCHLOG_BASE_URL`. */
type SettingName = 'context' | 'baseUrl' | 'tenant' | 'authMode' | 'tokenFile' | 'config';

/** The values of their flags; undefined if not given. */
export type SettingFlags = {readonly [Name in SettingName]?: string | undefined};

/**
 * Returns the value of a flag, or else of a variable. A variable that is set but empty counts as unset; an empty flag
 * is a mistake in a script, such as `--tenant "$TENANT"`, and throws a `ConfigError`.
 */
export const giveFrom = (
  name: SettingName,
  {flags, env}: {readonly flags: SettingFlags; readonly env: NodeJS.ProcessEnv},
): Given | undefined => {
  const words = name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
  const variable = `BRANCHLOG_${words.replaceAll('-', '_').toUpperCase()}`;
  const flag = flags[name];
  if (flag === '') {
    throw new ConfigError(`--${words}: expected a value, got an empty one`);
  }
  const value = flag ?? env[variable];
  return value ? {value, where: flag === undefined ? variable : `--${words}`} : undefined;
};
