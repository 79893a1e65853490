import {compilePattern} from '#cli/arguments/logs-options.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {selectLines} from '#cli/logs/select-lines.ts';
import {formatInstant, type Instant, nanosPerSecond, parseInstant} from '#log/line/instant.ts';
import {escapePattern} from '#log/traits/fold-text.ts';
import {type Answer, countdown} from '../answer.ts';
import {type Asked, callOf, commandLine, heldFacts, moreBytes, type Place, type Toolbox} from '../held-logs.ts';

type LinesAsked = Place & {
  readonly level?: string | undefined;
  readonly grep?: string | undefined;
  readonly exclude?: string | undefined;
  readonly since?: string | undefined;
  readonly to?: string | undefined;
  readonly around?: string | undefined;
  readonly entries?: number | undefined;
  readonly value?: string | undefined;
};

/** Around a line, as a person would scroll. */
const aroundEntries = 20;
/** Sources that a followed value is counted by. */
const sourcesMax = 10;

/** Times that lines are counted in, of which an answer has at most `partsMax`; in seconds. */
const steps: readonly (readonly [name: string, seconds: number])[] = [
  ['1s', 1],
  ['10s', 10],
  ['1m', 60],
  ['5m', 300],
  ['15m', 900],
  ['1h', 3600],
  ['6h', 21_600],
  ['1d', 86_400],
  ['7d', 604_800],
  ['30d', 2_592_000],
  ['365d', 31_536_000],
];
const partsMax = 12;
/** A smaller answer has no room for them. */
const countsBytesMin = 3_000;

/** Creates a counter of lines in equal parts of a time; returns undefined if it is longer than any log. */
const createCounts = ({from, to}: {readonly from: Instant; readonly to: Instant}) => {
  const startOf = (seconds: number): bigint => from / (BigInt(seconds) * nanosPerSecond);
  const partsOf = (seconds: number): number => Number(to / (BigInt(seconds) * nanosPerSecond) - startOf(seconds)) + 1;
  const [every, seconds] = steps.find(([, seconds]) => partsOf(seconds) <= partsMax) ?? [];
  if (every === undefined || seconds === undefined) {
    return undefined;
  }
  const numbers = new Array<number>(partsOf(seconds)).fill(0);
  const nanos = BigInt(seconds) * nanosPerSecond;
  const start = startOf(seconds);
  return {
    told: {every, from: formatInstant(start * nanos), numbers},
    add: (at: Instant): void => {
      const index = Number(at / nanos - start);
      numbers[index] = (numbers[index] ?? 0) + 1;
    },
  };
};

/** Finds a value as a word of its own: `12` is no part of `123`. */
const patternOfValue = (value: string): string => `(?:^|[^0-9A-Za-z])${escapePattern(value)}(?:[^0-9A-Za-z]|$)`;

export const findLines = async (
  asked: LinesAsked,
  tool: string,
  {readLog}: Toolbox,
  {signal, bytesMax, given}: Asked,
): Promise<Iterable<Answer>> => {
  const held = await readLog(asked, signal);
  const remarks = [...held.remarks];
  const {value, level, grep, exclude, since, to, around, entries = aroundEntries} = asked;
  const at = around === undefined ? undefined : parseInstant(around);
  if (around !== undefined && at === undefined) {
    throw new UsageError(`around: expected the time of a line in RFC 3339, got "${around}"`);
  }
  const parsed = commandLine('logs', {
    ...{level, exclude, since, to, grep, format: 'json'},
  });
  let overTime: ReturnType<typeof createCounts>;
  const counts = new Map<string, number>();
  const {budget, matched} = await selectLines(
    held.logs,
    {
      around: at === undefined ? undefined : {at, entries},
      grep: value === undefined ? [] : [{...compilePattern('value', patternOfValue(value)), needs: [value]}],
      limits: {bytesMax, rowsMax: undefined},
      see: ({at: seenAt, source}, range) => {
        overTime ??= createCounts(range);
        overTime?.add(seenAt);
        const name = source?.pod ?? source?.container ?? 'the log';
        counts.set(name, (counts.get(name) ?? 0) + 1);
      },
    },
    {parsed, say: words => remarks.push(words), signal},
  );
  const facts = {...heldFacts(held), remarks};
  const counted =
    value === undefined
      ? []
      : [...counts]
          .sort(([, a], [, b]) => b - a)
          .slice(0, sourcesMax)
          .map(([pod, lines]) => ({kind: 'source', pod, lines}));
  /** Of a single source, its name says nothing. */
  const withoutSource = ({pod, ...record}: {readonly pod?: string}): object =>
    counts.size > 1 && pod !== undefined ? {...record, pod} : record;
  return lineAnswers();

  function* lineAnswers(): Generator<Answer> {
    for (const bytes of countdown(bytesMax)) {
      const {rows, leftOut, newestFrom} = budget.select({bytesMax: bytes, rowsMax: undefined});
      const oldest = newestFrom === undefined ? null : formatInstant(newestFrom);
      const older = callOf(tool, {...asked, ...given, fresh: undefined, to: oldest});
      // A millisecond with more lines than fit leads no further back.
      const isStuck = oldest === null || at !== undefined || oldest === to;
      const larger = callOf(tool, {...asked, maxBytes: moreBytes(bytesMax)});
      yield {
        ...facts,
        lines: {
          matched,
          shown: matched - leftOut.lines,
          from: oldest,
          counts: (bytesMax < countsBytesMin ? undefined : overTime?.told) ?? null,
        },
        leftOut: [
          ...(leftOut.lines === 0 ? [] : [{what: 'lines', count: leftOut.lines, call: isStuck ? larger : older}]),
          ...(leftOut.markers === 0 ? [] : [{what: 'markers, such as gaps', count: leftOut.markers, call: larger}]),
        ],
        next: [],
        records: [...counted, ...rows.map(row => withoutSource(JSON.parse(row)))],
      };
    }
  }
};
