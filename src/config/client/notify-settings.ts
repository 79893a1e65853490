import {promptCharsMax} from '#base/bounds.ts';
import {parseDurationMs} from '#log/tokens/time-words.ts';
import type {TableReader} from '../settings/table-reader.ts';

/** When and how to alert a user who is looking elsewhere. */
export type NotifySettings = {
  readonly bell: boolean;
  /** A desktop notification, sent by the terminal (OSC 9). */
  readonly osc9: boolean;
  /**
   * A matching line triggers an alert; an empty pattern matches nothing. As typed: a word, or `re:` and an expression.
   */
  readonly pattern: string;
  /** The first error after a quiet period triggers an alert. */
  readonly firstError: boolean;
  /** How long that quiet period, without errors, must be; milliseconds. */
  readonly quietMs: number;
  /** A program and its arguments, which get what calls as a JSON record. No shell interprets them. */
  readonly command?: readonly string[] | undefined;
};

export const defaultNotifySettings: NotifySettings = {
  bell: false,
  osc9: false,
  pattern: '',
  firstError: false,
  quietMs: 5 * 60_000,
};

const quietMsMin = 1_000;
const quietMsMax = 24 * 3_600_000;

/** Reads the table `[notify]`. Throws a `ConfigError`. */
export const readNotifySettings = (table: TableReader): NotifySettings => {
  table.refuseOthers(['bell', 'osc9', 'pattern', 'first_error', 'quiet', 'command']);
  const quiet = table.scalar('quiet');
  const quietMs = quiet === undefined ? defaultNotifySettings.quietMs : parseDurationMs(quiet);
  if (quietMs === undefined || quietMs < quietMsMin || quietMs > quietMsMax) {
    return table.fail('quiet', 'expected a time from 1s to 24h, like "30s", "5m" or "1h"');
  }
  const isNone = table.raw('pattern') === '';
  const pattern = isNone ? '' : (table.text('pattern') ?? defaultNotifySettings.pattern);
  if (pattern.length > promptCharsMax) {
    table.fail('pattern', `expected at most ${promptCharsMax} characters`);
  }
  const command = table.texts('command');
  if (command?.length === 0) {
    table.fail('command', 'expected a program and its arguments, got an empty array');
  }
  return {
    bell: table.flag('bell') ?? defaultNotifySettings.bell,
    osc9: table.flag('osc9') ?? defaultNotifySettings.osc9,
    pattern,
    firstError: table.flag('first_error') ?? defaultNotifySettings.firstError,
    quietMs,
    command,
  };
};
