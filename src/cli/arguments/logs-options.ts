import {parseDurationMs} from '../../config/values/parse-duration.ts';
import {type LevelName, levelNames} from '../../log/level/level-words.ts';
import {type Instant, parseInstant} from '../../log/line/instant.ts';
import type {Say} from '../io/notices.ts';
import {UsageError} from '../io/usage-error.ts';
import {flagChoice, flagValue, type ParsedArguments} from './args.ts';
import {logFormats, timestampForms} from './commands.ts';
import {compilePattern, type LinearPattern} from './compile-pattern.ts';
import {type RecordingFlags, readRecordingOptions} from './recording-options.ts';

/** The value of `--since`: an age by the service's clock, or an instant. */
export type Since = {readonly kind: 'age'; readonly ms: number} | {readonly kind: 'instant'; readonly at: Instant};

/** The validated flags of `logs`. Times are in milliseconds. */
export type LogsOptions = RecordingFlags & {
  readonly follow: boolean;
  readonly intervalMs: number | undefined;
  readonly tail: number | undefined;
  readonly since: Since | undefined;
  readonly grep: readonly LinearPattern[];
  readonly exclude: readonly LinearPattern[];
  readonly levelMin: LevelName | undefined;
  readonly format: (typeof logFormats)[number];
  readonly durationMs: number | undefined;
  readonly until: LinearPattern | undefined;
  readonly timestamps: (typeof timestampForms)[number] | undefined;
  readonly highlights: readonly LinearPattern[];
  /** Ends with a record of the reason and the counts. */
  readonly summary: boolean;
  readonly failOnGap: boolean;
  /** Ends as soon as a log is not counted. */
  readonly requireProof: boolean;
};

/** A window's size in bytes is bounded, so no window has more lines than this. */
const tailLinesMax = 100_000_000;

const readDuration = (parsed: ParsedArguments, name: string): number | undefined => {
  const value = flagValue(parsed, name);
  if (value === undefined) {
    return undefined;
  }
  const ms = parseDurationMs(value);
  if (ms === undefined || ms <= 0) {
    throw new UsageError(`--${name}: expected a time above zero such as 500ms, 15s, 5m or 2h, got "${value}"`);
  }
  return ms;
};

const readTail = (parsed: ParsedArguments): number | undefined => {
  const value = flagValue(parsed, 'tail');
  if (value === undefined) {
    return undefined;
  }
  if (!/^\d+$/.test(value) || Number(value) > tailLinesMax) {
    throw new UsageError(`--tail: expected a number of lines from 0 to ${tailLinesMax}, got "${value}"`);
  }
  return Number(value);
};

const readSince = (parsed: ParsedArguments): Since | undefined => {
  const value = flagValue(parsed, 'since');
  if (value === undefined) {
    return undefined;
  }
  const at = parseInstant(value);
  if (at !== undefined) {
    return {kind: 'instant', at};
  }
  const ms = parseDurationMs(value);
  if (ms === undefined || ms <= 0) {
    throw new UsageError(
      `--since: expected a time such as 15s, 5m or 2h, or one such as 2026-11-21T14:02:11Z, got "${value}"`,
    );
  }
  return {kind: 'age', ms};
};

/** Flags with no effect on a single window. They cause a notice, not an error, as in `tail` with --pid. */
const followOnlyFlags = ['interval', 'duration'] as const;

/**
 * Reads and validates the flags of `logs`, before any request to the service. Throws `UsageError`.
 * `alwaysFollow` implies --follow, as for `branchlog SITE BRANCH` without a terminal.
 */
export const readLogsOptions = (parsed: ParsedArguments, say: Say, alwaysFollow = false): LogsOptions => {
  const follow = alwaysFollow || parsed.switches.has('follow');
  const until = flagValue(parsed, 'until');
  const options: LogsOptions = {
    follow,
    intervalMs: readDuration(parsed, 'interval'),
    tail: readTail(parsed),
    since: readSince(parsed),
    grep: (parsed.values.get('grep') ?? []).map(source => compilePattern('grep', source)),
    exclude: (parsed.values.get('exclude') ?? []).map(source => compilePattern('exclude', source)),
    levelMin: flagChoice(parsed, 'level', levelNames),
    format: flagChoice(parsed, 'format', logFormats) ?? 'text',
    durationMs: readDuration(parsed, 'duration'),
    until: until === undefined ? undefined : compilePattern('until', until),
    timestamps: flagChoice(parsed, 'timestamps', timestampForms),
    highlights: (parsed.values.get('highlight') ?? []).map(source => compilePattern('highlight', source)),
    summary: parsed.switches.has('summary'),
    failOnGap: parsed.switches.has('fail-on-gap'),
    requireProof: parsed.switches.has('require-proof'),
    ...readRecordingOptions(parsed, say),
  };
  if (options.replayPath !== undefined && options.intervalMs !== undefined) {
    say('--interval has no effect with --replay: the recording sets the pace');
  }
  if (options.format !== 'text' && (options.timestamps !== undefined || options.highlights.length > 0)) {
    say('--timestamps and --highlight have no effect without --format text');
  }
  if (options.summary && options.format !== 'json') {
    say('--summary has no effect without --format json');
  }
  if (!follow) {
    const idle = followOnlyFlags.filter(name => parsed.values.has(name)).map(name => `--${name}`);
    idle.push(...(options.failOnGap ? ['--fail-on-gap'] : []));
    if (idle.length > 0) {
      say(`${idle.join(' and ')} ${idle.length === 1 ? 'has' : 'have'} no effect without --follow`);
    }
  }
  return options;
};
