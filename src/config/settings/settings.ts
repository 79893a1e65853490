/** The result of flags, environment and config file: everything the program needs to know before it runs. */

import type {FilterSettings, KeySettings, NotifySettings, UiSettings} from './sections.ts';
import {ConfigError} from './table-reader.ts';

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
export const flagOrVariable = (
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

/** Where a token is read from. The token itself is never a setting. */
export type TokenSource =
  | {readonly kind: 'file'; readonly path: string}
  | {readonly kind: 'command'; readonly command: readonly string[]}
  | {readonly kind: 'environment'; readonly variable: string};

export type SiteSetting = {readonly id: string; readonly name: string | undefined};

export const windowSettings = ['branch', 'pod', 'source'] as const;

/** The unit that a service cuts separately: a branch's log, each pod's, or each source's within a pod. */
type WindowSetting = (typeof windowSettings)[number];

/** How many sources a pod may have: more than any pod has containers. */
export const podSourcesMax = 100;

/** A named service to talk to. */
export type ContextSettings = {
  readonly name: string;
  /** Ends in the version segment, without a trailing slash. */
  readonly baseUrl: string;
  readonly tenant: string;
  readonly authMode: string;
  readonly token: TokenSource;
  readonly proxy: string | undefined;
  readonly caFile: string | undefined;
  /** How the service cuts its windows; undefined if the file does not say. */
  readonly window: WindowSetting | undefined;
  /** How many sources a pod has, for windows cut by source; undefined if the file does not say. */
  readonly sources: number | undefined;
  readonly sites: readonly SiteSetting[];
};

export const rowSettings = ['laid-out', 'received', 'escaped'] as const;

export type LogSettings = {
  /** The requested freshness while following, milliseconds. */
  readonly intervalMs: number;
  readonly bufferMb: number;
  /** Text of lines that a branch of a cluster holds for its readers. */
  readonly kubeBufferMb: number;
  /** The screens show the events of a branch of a cluster among its lines. */
  readonly kubeEvents: boolean;
  /** `own`: colours follow the content of a line. `keep`: SGR sequences in lines become styles. */
  readonly colour: 'own' | 'keep';
  /** How the screen shows a line: laid out for reading, as received, or escaped. */
  readonly rows: (typeof rowSettings)[number];
  /** The fields that lines which are laid out show alone; none shows all. */
  readonly columns: readonly string[];
  /** How often a log is looked at for the list of branches, milliseconds; undefined for never. */
  readonly pulseMs: number | undefined;
};

export type Settings = {
  /** The file that was read; undefined if there was none. */
  readonly configPath: string | undefined;
  readonly context: ContextSettings;
  /** The names of all contexts of the file, for the sites screen. */
  readonly contextNames: readonly string[];
  readonly log: LogSettings;
  readonly ui: UiSettings;
  readonly notify: NotifySettings;
  readonly keys: KeySettings;
  readonly filters: FilterSettings;
  /** Warnings for stderr that don't stop anything: a missing `dev-v1`, a token over plain http. */
  readonly warnings: readonly string[];
};
