import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {flagValue, type ParsedArguments} from '#cli/arguments/args.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import type {Io} from '#cli/io/io.ts';
import {findConfigFolder} from '#config/settings/folders.ts';
import {
  ConfigError,
  type LoadInput,
  loadPreferences,
  loadSettings,
  type Preferences,
} from '#config/settings/load-settings.ts';
import type {Settings} from '#config/settings/settings.ts';

/** Returns whether there is a config file, or one or a context of it was named, which must exist then. */
export const hasConfigFile = (parsed: ParsedArguments, io: Io): boolean => {
  const isNamed = parsed.values.has('config') || parsed.values.has('context');
  const folder = findConfigFolder(io.env, io.homeFolder);
  return (
    isNamed ||
    Boolean(io.env.BRANCHLOG_CONFIG || io.env.BRANCHLOG_CONTEXT) ||
    (folder !== undefined && existsSync(join(folder, 'config.toml')))
  );
};

/** Returns the global flags in the form that the configuration reads. */
export const settingFlags = (parsed: ParsedArguments) => ({
  context: flagValue(parsed, 'context'),
  baseUrl: flagValue(parsed, 'base-url'),
  tenant: flagValue(parsed, 'tenant'),
  authMode: flagValue(parsed, 'auth-mode'),
  tokenFile: flagValue(parsed, 'token-file'),
  config: flagValue(parsed, 'config'),
});

/** Merges flags, environment and config file. Throws `UsageError` if they are invalid or incomplete. */
export const readSettings = async (parsed: ParsedArguments, io: Io): Promise<Settings> =>
  checkScreens(await readSettingsBeforeScreens(parsed, io));

/** Does the same without a look at what only the screens use: keys and filters. */
export const readSettingsBeforeScreens = (parsed: ParsedArguments, io: Io): Promise<Settings> =>
  refuseConfig(loadSettings, parsed, io);

/** Reads what the config file says that does not depend on a service. Throws `UsageError` if it is invalid. */
export const readPreferences = async (parsed: ParsedArguments, io: Io): Promise<Preferences> =>
  checkScreens(await refuseConfig(loadPreferences, parsed, io));

/** Also where no key is pressed and nothing filtered: otherwise the mistake shows when somebody is paged. */
const checkScreens = async <Read extends Pick<Settings, 'keys' | 'filters'>>(read: Read): Promise<Read> => {
  if (read.keys.bindings.size > 0 || read.filters.named.size > 0) {
    const {readKeymap, readNamedFilters} = await import('./screen-settings.ts');
    readKeymap(read);
    readNamedFilters(read.filters);
  }
  return read;
};

const refuseConfig = async <Read>(
  load: (input: LoadInput) => Promise<Read>,
  parsed: ParsedArguments,
  io: Io,
): Promise<Read> => {
  try {
    return await load({flags: settingFlags(parsed), env: io.env, homeFolder: io.homeFolder});
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message, {cause: error}) : error;
  }
};
