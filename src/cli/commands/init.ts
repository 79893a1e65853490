import {realpath} from 'node:fs/promises';
import {serviceAddress} from '#base/service-address.ts';
import {quoteForShell} from '#base/system/find-distrust.ts';
import {type CommandInput, flagValue, type ParsedArguments} from '#cli/arguments/args.ts';
import {settingFlags} from '#cli/connection/read-settings.ts';
import {exitCodes, UsageError} from '#cli/io/exit-codes.ts';
import type {Io} from '#cli/io/io.ts';
import {writeStateFile} from '#config/memory/state-file.ts';
import {decodeConfigFile} from '#config/settings/config-file.ts';
import {addContext, type ConfigText, type NewContext} from '#config/settings/context-text.ts';
import {findConfigPath} from '#config/settings/load-settings.ts';
import {flagOrVariable} from '#config/settings/settings.ts';
import {ConfigError, readToml} from '#config/settings/table-reader.ts';
import {AnswerRejected, type Answers, askPerson, takeSuggestions} from './doctor/init/answers.ts';
import {askContext, type Suggestions} from './doctor/init/ask-context.ts';

/**
 * Runs `branchlog init`: asks for a context, checks each answer, and adds the context to the config file. Throws
 * `UsageError` if an answer is missing. Resolves to the exit code of the check that failed.
 */
export const runInit = async (input: CommandInput): Promise<number> => {
  const {parsed, io, say} = input;
  const isPerson = io.stdin.isTTY === true && io.stderr.isTTY === true;
  const suggestions = readSuggestions(parsed, io);
  if (!isPerson) {
    requireSuggestions(suggestions);
  }
  const answers = isPerson ? askPerson(io) : takeSuggestions(io);
  try {
    const file = await readConfigText(parsed, io);
    const asked = await askContext({answers, suggestions, io, signal: input.signal});
    const {name, text} = await askName(answers, file, asked, suggestions.context);
    await writeUnlessChanged(file, text, parsed, io);
    say(`added the context ${name} to ${file.path}`);
    say(`open it with: ${formatOpen(parsed, file, {...asked, name})}`);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof AnswerRejected) {
      say('nothing was written');
      return error.exitCode;
    }
    throw error instanceof ConfigError ? new UsageError(error.message, {cause: error}) : error;
  } finally {
    answers.close();
  }
};

type FileNow = ConfigText & {readonly contextNames: readonly string[]};

/** Flags, or else the environment. */
const readSuggestions = (parsed: ParsedArguments, {env}: Io): Suggestions => {
  const flags = settingFlags(parsed);
  const give = (name: 'baseUrl' | 'tenant' | 'authMode' | 'tokenFile') => flagOrVariable(name, {flags, env})?.value;
  return {
    context: flags.context,
    baseUrl: give('baseUrl'),
    tenant: give('tenant'),
    authMode: give('authMode'),
    tokenFile: give('tokenFile'),
    caFile: flagValue(parsed, 'ca-file'),
    siteId: flagValue(parsed, 'site'),
    siteName: flagValue(parsed, 'site-name'),
  };
};

const requireSuggestions = ({baseUrl, tenant, authMode, tokenFile}: Suggestions): void => {
  const given = Object.entries({
    '--base-url': baseUrl,
    '--tenant': tenant,
    '--auth-mode': authMode,
    '--token-file': tokenFile,
  });
  const missing = given.flatMap(([flag, value]) => (value === undefined ? [flag] : []));
  if (missing.length > 0) {
    throw new UsageError(`branchlog init asks on a terminal; without one, give ${missing.join(', ')}`);
  }
};

/** Returns the config file as it is now. A link is followed, so that it stays one. Throws a `ConfigError`. */
const readConfigText = async (parsed: ParsedArguments, {env, homeFolder}: Io): Promise<FileNow> => {
  const {configPath} = findConfigPath({flags: settingFlags(parsed), env, homeFolder});
  if (configPath === undefined) {
    throw new ConfigError('there is no home folder for the config file: give its path as --config PATH');
  }
  // By the path as given: its links are checked too.
  const file = await readToml(configPath);
  const contexts = file && decodeConfigFile(file.table, configPath, homeFolder).contexts;
  const path = await realpath(configPath).catch(() => configPath);
  return {path, text: file?.text, homeFolder, contextNames: [...(contexts?.keys() ?? [])]};
};

/** Asks for a name that the config file does not have yet. Returns it with the text of the longer file. */
const askName = async (
  answers: Answers,
  file: FileNow,
  asked: Omit<NewContext, 'name'>,
  suggestion: string | undefined,
): Promise<{readonly name: string; readonly text: string}> => {
  for (;;) {
    const name = await answers.ask('Name for this context', suggestion ?? serviceAddress(asked.baseUrl).name);
    if (!file.contextNames.includes(name)) {
      return {name, text: addContext(file, {...asked, name})};
    }
    answers.reject(new ConfigError(`${file.path} has a context "${name}" already: give another name`));
  }
};

/** Writes the file, unless it was changed or created while the questions were asked. */
const writeUnlessChanged = async (file: ConfigText, text: string, parsed: ParsedArguments, io: Io): Promise<void> => {
  if ((await readConfigText(parsed, io)).text !== file.text) {
    throw new ConfigError(`${file.path} was changed in the meantime, so nothing was written: run branchlog init again`);
  }
  try {
    await writeStateFile(file.path, text);
  } catch (error) {
    throw new ConfigError(`cannot write ${file.path}: ${error instanceof Error ? error.message : error}`);
  }
};

/** Returns the command line that opens the new context. */
const formatOpen = (parsed: ParsedArguments, {text}: ConfigText, {name, sites: [site]}: NewContext): string => {
  const config = flagValue(parsed, 'config');
  return [
    'branchlog',
    ...(site === undefined ? [] : [site.name ?? site.id]),
    // A context that is alone is used without being named.
    ...(text === undefined ? [] : ['--context', name]),
    ...(config === undefined ? [] : ['--config', config]),
  ]
    .map(quoteForShell)
    .join(' ');
};
