import {ConfigError, loadSettings} from '../../config/client/load-settings.ts';
import type {Settings} from '../../config/client/settings.ts';
import {flagValue, type ParsedArguments} from '../arguments/args.ts';
import type {Io} from '../io/io.ts';
import {UsageError} from '../io/usage-error.ts';

/** The flags that every command takes, as the configuration reads them. */
export const settingFlags = (parsed: ParsedArguments) => ({
  context: flagValue(parsed, 'context'),
  baseUrl: flagValue(parsed, 'base-url'),
  tenant: flagValue(parsed, 'tenant'),
  authMode: flagValue(parsed, 'auth-mode'),
  tokenFile: flagValue(parsed, 'token-file'),
  config: flagValue(parsed, 'config'),
});

/** Flags, environment and config file put together. Throws `UsageError` where they don't make sense or something is missing. */
export const readSettings = async (parsed: ParsedArguments, io: Io): Promise<Settings> => {
  try {
    return await loadSettings({flags: settingFlags(parsed), env: io.env, homeFolder: io.homeFolder});
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message, {cause: error}) : error;
  }
};
