import {ConfigError} from '../values/config-error.ts';

/** A value, and the flag, variable or key it came from, for messages. */
export type Given = {readonly value: string; readonly where: string};

/**
 * Returns the value of a flag, or else of a variable. A variable that is set but empty counts as unset; an empty flag
 * is a mistake in a script, such as `--tenant "$TENANT"`, and throws a `ConfigError`.
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
