import {UsageError} from '#cli/io/exit-codes.ts';
import {selectLines} from '#cli/logs/select-lines.ts';
import {formatInstant, parseInstant} from '#log/line/instant.ts';
import {escapePattern} from '#log/traits/fold-text.ts';
import {type Answer, countdown} from '../answer.ts';
import type {Place} from '../held-logs.ts';
import {type Asked, callOf, commandLine, heldFacts, moreBytes, type Toolbox} from './tool-context.ts';

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

/** Finds a value as a word of its own: `12` is no part of `123`. */
const patternOfValue = (value: string): string => `(?:^|[^0-9A-Za-z])${escapePattern(value)}(?:[^0-9A-Za-z]|$)`;

export const findLines = async (
  asked: LinesAsked,
  tool: string,
  {server, readLog}: Toolbox,
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
    ...{level, exclude, since, to, format: 'json'},
    grep: value === undefined ? grep : patternOfValue(value),
  });
  const counts = new Map<string, number>();
  const {budget, printed} = await selectLines(
    held.logs,
    {
      around: at === undefined ? undefined : {at, entries},
      limits: {bytesMax, rowsMax: undefined},
      see: ({source}) => {
        const name = source?.pod ?? source?.container ?? 'the log';
        counts.set(name, (counts.get(name) ?? 0) + 1);
      },
    },
    {...server, parsed, say: words => remarks.push(words), signal},
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
      const {lines} = printed.counts;
      const older = callOf(tool, {...asked, ...given, fresh: undefined, to: oldest});
      // A millisecond with more lines than fit leads no further back.
      const isStuck = oldest === null || at !== undefined || oldest === to;
      const larger = callOf(tool, {...asked, maxBytes: moreBytes(bytesMax)});
      yield {
        ...facts,
        lines: {matched: lines, shown: lines - leftOut.lines, from: oldest},
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
