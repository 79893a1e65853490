import {flagValue, type ParsedArguments} from '#cli/arguments/args.ts';
import type {Io} from '#cli/io/io.ts';
import {UsageError} from '#cli/io/usage-error.ts';
import {
  ConfigError,
  type LoadInput,
  loadPreferences,
  loadSettings,
  type Preferences,
} from '#config/settings/load-settings.ts';
import type {Settings} from '#config/settings/settings.ts';

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
  if (read.keys.bindings.size > 0) {
    const {readKeymap} = await import('./read-keymap.ts');
    readKeymap(read);
  }
  if (read.filters.named.size > 0) {
    const {readNamedFilters} = await import('./filter-memory.ts');
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
