import {findClosestWord} from '../values/closest-word.ts';
import {ConfigError} from '../values/config-error.ts';
import type {ConfigFile, FileContext} from './config-file.ts';
import type {Given} from './given.ts';

export type ChosenContext = {readonly name: string; readonly context: FileContext};

const listNames = (names: readonly string[]): string => names.map(name => `"${name}"`).join(', ');

/**
 * Returns the file's context to use: the named one, else `default_context`, else the only one. Returns undefined if the
 * file has no context, or has several without a default while flags and environment are sufficient.
 * Throws a `ConfigError` for a name that does not exist, or if there are several contexts and nothing selects one.
 */
export const chooseContext = (
  file: ConfigFile | undefined,
  configPath: string | undefined,
  named: Given | undefined,
  isSelfContained: boolean,
): ChosenContext | undefined => {
  const names = [...(file?.contexts.keys() ?? [])];
  const wanted: Given | undefined =
    named ?? (file?.defaultContext ? {value: file.defaultContext, where: `${configPath}: default_context`} : undefined);
  if (wanted) {
    const context = file?.contexts.get(wanted.value);
    if (context) {
      return {name: wanted.value, context};
    }
    throw new ConfigError(
      `${wanted.where}: there is no context "${wanted.value}"${describeOthers(wanted.value, names, file)}`,
    );
  }
  const [only, ...others] = file?.contexts ?? [];
  if (only && others.length === 0) {
    return {name: only[0], context: only[1]};
  }
  if (only && !isSelfContained) {
    throw new ConfigError(
      `no context is chosen: give one of ${listNames(names)} as --context, BRANCHLOG_CONTEXT or default_context in ${configPath}`,
    );
  }
  return undefined;
};

const describeOthers = (name: string, names: readonly string[], file: ConfigFile | undefined): string => {
  if (!file) {
    return ', as there is no config file';
  }
  if (names.length === 0) {
    return ', as the config file has none';
  }
  const meant = findClosestWord(name, names);
  return `, only ${listNames(names)}${meant === undefined ? '' : `: did you mean "${meant}"?`}`;
};
