import {RE2JS, RE2JSException} from 're2js';
import {UsageError} from '#cli/io/exit-codes.ts';
import type {Say} from '#cli/io/io.ts';
import {levelNames} from '#log/tokens/level-words.ts';
import {parseDurationMs} from '#log/tokens/time-words.ts';
import {flagChoice, flagLines, flagValue, joinWords, type ParsedArguments} from './args.ts';
import {readLimits} from './limits.ts';
import {logFormats, printFlags, timestampForms} from './shared-flags.ts';
import {readGivenRange, readRecordingOptions} from './time-range.ts';

/** Anything longer is a pasted log, not a pattern. Also bounds the size of the compiled pattern. */
const linearPatternCharsMax = 10_000;

/** A compiled pattern from the command line. */
export type LinearPattern = {
  test(text: string): boolean;
  /** Every text that matches has one of these; undefined: none is known. */
  readonly needs: readonly string[] | undefined;
  /** Returns the ranges of the matches in code units; leaves out empty ones and those past a bound. */
  spans(text: string): readonly (readonly [start: number, end: number])[];
};

/** Nobody can see more than these in one line. */
const spansMax = 200;

/**
 * Returns texts in printable ASCII of which each match of a pattern has one: the longest run of letters that stand for
 * themselves of each alternative. Undefined where groups, flags or escapes leave that open.
 */
export const findNeeded = (source: string): readonly string[] | undefined => {
  const bare = source.replaceAll(/\\[dDwWsSbBtn\W_]/g, '\0');
  if (/[()\\]|[^ -~\0]|\[[^\]]*\[/.test(bare)) {
    return undefined;
  }
  // Brackets stand for any of several; a quantifier may remove the letter before it.
  const runs = bare
    .replaceAll(/\[\^?\]?[^\]]*\]/g, '\0')
    .replaceAll(/.(?:[*?]|\{\d[^}]*\})[*?+]*/g, '\0')
    .replaceAll(/[+.^$]/g, '\0')
    .split('|')
    .map(each => each.split('\0').reduce((longest, run) => (run.length > longest.length ? run : longest), ''));
  return runs.every(run => run.length > 1) ? runs : undefined;
};

/**
 * Compiles a pattern with RE2, which matches in linear time: on V8 a hostile pattern takes 45 seconds for one line, and
 * nobody is there to press Esc in a script. Does not use the library's translation of JavaScript syntax: it turns
 * `\k<name>` into plain letters, and a pattern with a different meaning is worse than an error.
 * Throws `UsageError`, which begins with `title`, for invalid syntax and for what RE2 lacks: look-around,
 * backreferences, counts over 1,000.
 */
export const compilePattern = (title: string, source: string): LinearPattern => {
  if (source.length > linearPatternCharsMax) {
    throw new UsageError(
      `${title}: the pattern has ${source.length} characters, at most ${linearPatternCharsMax} are allowed`,
    );
  }
  try {
    const compiled = RE2JS.compile(source);
    return {
      test: text => compiled.test(text),
      needs: findNeeded(source),
      spans: text => {
        const matcher = compiled.matcher(text);
        const spans: (readonly [number, number])[] = [];
        while (spans.length < spansMax && matcher.find()) {
          if (matcher.end() > matcher.start()) {
            spans.push([matcher.start(), matcher.end()]);
          }
        }
        return spans;
      },
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) {
      throw error;
    }
    const reason = error.message.replace(/^error parsing regexp: /, '');
    throw new UsageError(
      `${title}: "${source}" can't be used: ${reason}; patterns use RE2 syntax, which has no look-around and no backreferences`,
    );
  }
};

/** The condition of --until-gone: no line matches for this many milliseconds. */
export type UntilGone = {readonly pattern: LinearPattern; readonly forMs: number};

/** Which pods, or which containers, are wanted. */
export type PartPatterns = {
  /** At least one of them must match, if there are any. */
  readonly only: readonly LinearPattern[];
  /** None of them may match. */
  readonly except: readonly LinearPattern[];
};

/** How many lines around a match are printed. */
type ContextLines = {readonly before: number; readonly after: number};

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

/** Lines around a match: more than a screen can show. */
const contextLinesMax = 10_000;

const readContext = (parsed: ParsedArguments): ContextLines => {
  const around = flagLines(parsed, 'around', contextLinesMax) ?? 0;
  return {
    before: flagLines(parsed, 'before', contextLinesMax) ?? around,
    after: flagLines(parsed, 'after', contextLinesMax) ?? around,
  };
};

const readPatterns = (parsed: ParsedArguments, name: string): readonly LinearPattern[] =>
  (parsed.values.get(name) ?? []).map(source => compilePattern(`--${name}`, source));

const readParts = (parsed: ParsedArguments, part: string): PartPatterns => ({
  only: readPatterns(parsed, part),
  except: readPatterns(parsed, `exclude-${part}`),
});

const readUntilGone = (parsed: ParsedArguments, follow: boolean): UntilGone | undefined => {
  const source = flagValue(parsed, 'until-gone');
  if (source === undefined) {
    return undefined;
  }
  const forMs = readDuration(parsed, 'for');
  if (forMs === undefined || !follow || parsed.values.has('until')) {
    throw new UsageError('--until-gone REGEX needs --for TIME and --follow, and cannot be combined with --until');
  }
  return {pattern: compilePattern('--until-gone', source), forMs};
};

/**
 * Reads and validates the flags of `logs`, before any request to the service. Throws `UsageError`.
 * `alwaysFollow` implies --follow, as for `branchlog SITE BRANCH` without a terminal.
 */
export const readLogsOptions = (parsed: ParsedArguments, say: Say, alwaysFollow = false) => {
  const follow = alwaysFollow || parsed.switches.has('follow');
  if (follow && parsed.switches.has('previous')) {
    throw new UsageError(
      '--previous cannot be combined with --follow: an instance that has ended writes no more lines',
    );
  }
  if (follow && parsed.values.has('to')) {
    throw new UsageError(
      alwaysFollow
        ? '--to is for printing: add --format text, or leave it out'
        : '--to cannot be combined with --follow: new lines come after it',
    );
  }
  const until = flagValue(parsed, 'until');
  if (until !== undefined && /\D/.test(until) && parseDurationMs(until) !== undefined) {
    throw new UsageError(
      `--until takes a pattern, and ${until} reads as a time: --duration ${until} stops after it; --until '(${until})' waits for this text`,
    );
  }
  const untilGone = readUntilGone(parsed, follow);
  /** Flags without effect cause a notice, not an error, as in `tail` with --pid. */
  const sayIdle = (names: readonly string[], missing: string): void => {
    const given = names.filter(name => parsed.values.has(name) || parsed.switches.has(name)).map(name => `--${name}`);
    if (given.length > 0) {
      say(`${joinWords(given, 'and')} ${given.length === 1 ? 'has' : 'have'} no effect without ${missing}`);
    }
  };
  /** How much is printed, at the end; undefined: all, as it comes. */
  const limits = readLimits(parsed);
  const options = {
    follow,
    intervalMs: readDuration(parsed, 'interval'),
    ...readGivenRange(parsed, {say}),
    /** At least one of them must match, if there are any. */
    grep: readPatterns(parsed, 'grep'),
    /** None of them may match. */
    exclude: readPatterns(parsed, 'exclude'),
    /** Lines around one that matches `grep`. */
    context: readContext(parsed),
    levelMin: flagChoice(parsed, 'level', levelNames),
    pods: readParts(parsed, 'pod'),
    containers: readParts(parsed, 'container'),
    /** In text, each line is preceded by its pod and container. */
    prefix: parsed.switches.has('prefix'),
    format: flagChoice(parsed, 'format', logFormats) ?? 'text',
    durationMs: readDuration(parsed, 'duration'),
    until: until === undefined ? undefined : compilePattern('--until', until),
    ...(untilGone && {untilGone}),
    ...(limits && {limits}),
    timestamps: flagChoice(parsed, 'timestamps', timestampForms),
    highlights: readPatterns(parsed, 'highlight'),
    /** Ends with a record of the reason and the counts. */
    summary: parsed.switches.has('summary'),
    failOnGap: parsed.switches.has('fail-on-gap'),
    /** Ends as soon as a log is not counted. */
    requireProof: parsed.switches.has('require-proof'),
    ...readRecordingOptions(parsed, say),
  };
  if (limits && follow && options.durationMs === undefined && until === undefined) {
    throw new UsageError(
      '--max-bytes and --max-lines select of all that came: with --follow, add --duration TIME or --until REGEX',
    );
  }
  const {format} = options;
  if (options.replayPath !== undefined && options.intervalMs !== undefined) {
    say('--interval has no effect with --replay: the recording sets the pace');
  }
  for (const only of logFormats.filter(each => each !== format)) {
    sayIdle(
      printFlags.filter(({onlyIn}) => onlyIn === only).map(({name}) => name),
      `--format ${only}`,
    );
  }
  if (options.grep.length === 0) {
    sayIdle(['before', 'after', 'around'], '--grep');
  }
  if (!follow) {
    sayIdle(['interval', 'duration', ...(options.since === undefined ? ['fail-on-gap'] : [])], '--follow');
  }
  return options;
};

/** The validated flags of `logs`. Times are in milliseconds. */
export type LogsOptions = Readonly<ReturnType<typeof readLogsOptions>>;
