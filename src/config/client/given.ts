import {ConfigError} from '../values/config-error.ts';

/** A value, and the flag, variable or key that it came from, for messages. */
export type Given = {readonly value: string; readonly where: string};

/**
 * What a flag or else a variable gives. A variable that is set and empty counts as not set; an empty flag is a mistake
 * in a script, `--tenant "$TENANT"`, and throws a `ConfigError`.
 */
export const giveFrom = (
  flag: string | undefined,
  flagName: string,
  variable: string | undefined,
  variableName: string,
): Given | undefined => {
  if (flag === '') {
    throw new ConfigError(`${flagName}: expected a value, got an empty one`);
  }
  if (flag !== undefined) {
    return {value: flag, where: flagName};
  }
  return variable ? {value: variable, where: variableName} : undefined;
};
