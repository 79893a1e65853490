import {type ListPane, selectedIndexOf} from '#app/choices/list-pane.ts';
import type {Hint} from '#app/help/select-hints.ts';
import type {ValueTracePane} from '#app/panes/panes.ts';
import type {Frame} from '#app/parts/frame.ts';
import type {ValueTrace, ValueTraceLine} from '#app/parts/kept-views.ts';
import {joinParts, rowWidth} from '#app/rows/fit-row.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {findPattern} from '#app/search/patterns.ts';
import {type SourceInMemory, sourcesInMemory} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {labelBranches} from '#app/words/branch-labels.ts';
import {entriesAt} from '#log/buffer/chunk.ts';
import type {LineEntry} from '#log/line/entry.ts';
import type {Matches} from '#log/pattern/matches.ts';
import {cutMiddle} from '#log/text/cut.ts';
import {escapePattern} from '#log/traits/fold-text.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {formatWhen, whenWidth} from '#log/words/format-when.ts';
import {sourceKey} from '#log/words/source-words.ts';
import {paneOf} from './log-pane.ts';
import {makeTags, originOf} from './log-sources-pane.ts';
import {formatEntry, type RowStyle} from './pane/entry-rows.ts';
import {edgeLevel} from './row-edges.ts';

/** More lines than anybody reads one by one; what is more frequent needs a filter. */
const trailLinesMax = 500;

const wordSign = /[\w-]/;

/** Returns the query for a whole value: `2678` is not found in `12678`, nor in `2678-a`. */
export const valueTraceQuery = (text: string): string => {
  const before = wordSign.test(text.charAt(0)) ? String.raw`(?:^|[^\w-])` : '';
  const after = wordSign.test(text.slice(-1)) ? String.raw`(?:[^\w-]|$)` : '';
  return `re:${before}${escapePattern(text)}${after}`;
};

/** Returns the key of a trail's line. */
export const valueTraceKey = ({branch}: Pick<SourceInMemory, 'branch'>, {id}: LineEntry): string =>
  `${branch._id} ${id}`;

/** Returns the lines of the open trail: the newest 500 of all logs in memory. Free unless more became known. */
export const findValueTrace = (frame: Frame & Pick<State, 'held'>, log: LogState): ValueTrace => {
  const sources = sourcesInMemory(frame, log);
  const pattern = findPattern(log.use, log.use.trailId);
  const parts = [pattern?.version, ...sources.map(({tail}) => tail.log.buffer)];
  return log.kept.trail.answer(parts, () => makeTrail(sources, pattern?.matches));
};

const makeTrail = (sources: readonly SourceInMemory[], matches: Matches | undefined): ValueTrace => {
  const counts = sources.map(({tail}) =>
    tail.log.buffer.chunks.reduce((sum, chunk) => sum + (matches?.of(chunk)?.offsets.length ?? 0), 0),
  );
  const lines = sources
    .flatMap((source, index) => newestLines(source, index, matches))
    .toSorted((a, b) => (a.line.at < b.line.at ? -1 : a.line.at > b.line.at ? 1 : 0));
  return {
    lines: lines.slice(-trailLinesMax),
    lineCount: counts.reduce((sum, count) => sum + count, 0),
    logCount: counts.filter(count => count > 0).length,
    isComplete: sources.every(({tail}) => matches?.pendingIn(tail.log.buffer).length === 0),
  };
};

const newestLines = (
  source: SourceInMemory,
  index: number,
  matches: Matches | undefined,
): readonly ValueTraceLine[] => {
  const pieces: (readonly ValueTraceLine[])[] = [];
  let missing = trailLinesMax;
  for (const chunk of source.tail.log.buffer.chunks.toReversed()) {
    const offsets = matches?.of(chunk)?.offsets.slice(-missing);
    if (missing === 0 || offsets === undefined || offsets.length === 0) {
      continue;
    }
    const found = entriesAt(chunk, offsets);
    pieces.push(
      found.flatMap(entry =>
        entry.kind === 'line' ? [{key: valueTraceKey(source, entry), source: index, line: entry}] : [],
      ),
    );
    missing -= offsets.length;
  }
  return pieces.reverse().flat();
};

const indicatorColumns = ' ▸ '.length;
/** A longer value leaves no room for how often it was found. */
const valueShare = 2;

/** Returns the pane of a trail: lines of several logs, each after its level, time, branch and source. */
export const listValueTrace = (
  frame: Frame & Pick<State, 'held'>,
  log: LogState,
  {name, text}: ValueTracePane,
): ListPane => {
  const {columns} = frame;
  const trail = findValueTrace(frame, log);
  const value = cutMiddle(`${name} ${text}`, Math.floor(columns / valueShare));
  const [found, where] = valueTraceWords(frame, log, trail);
  return {
    title: joinParts(
      [
        {row: [span(value, 'strong')], rank: 0},
        {row: [span(found, trail.isComplete ? 'dim' : 'busy')], rank: 1},
      ],
      columns,
      {row: [span(where, 'dim')], rank: 2},
    ),
    rows: trail.lines.map(rowOf(frame, log, trail)),
    hints,
  };
};

/** Returns how many lines were found, and in how many of the logs that were searched. */
export const valueTraceWords = (
  frame: Pick<State, 'held'>,
  log: LogState,
  trail: ValueTrace,
): readonly [found: string, where: string] => {
  const {lines, lineCount, logCount, isComplete} = trail;
  const failure = findPattern(log.use, log.use.trailId)?.failure;
  const count =
    lines.length < lineCount
      ? `the last ${formatCount(lines.length)} of ${countOf(lineCount, 'line')}`
      : countOf(lineCount, 'line');
  const found = isComplete ? count : failure === undefined ? `${count}, searching…` : `${count}, search cancelled`;
  return [found, `in ${logCount} of ${countOf(sourcesInMemory(frame, log).length, 'log')} in memory`];
};

/** Returns what makes the row of each line. */
const rowOf = (
  frame: Frame & Pick<State, 'held'>,
  log: LogState,
  {lines}: ValueTrace,
): ((found: ValueTraceLine) => ListPane['rows'][number]) => {
  const sources = sourcesInMemory(frame, log);
  const branches = sources.map(({branch}) => branch);
  const names = new Map(
    lines.flatMap(({line: {source}}) => (source === undefined ? [] : [[sourceKey(source), source] as const])),
  );
  const tags = makeTags([...names.values()], frame.columns, branches.length);
  const labels = labelBranches(branches, frame.columns, tags.columns > 0);
  const time = log.look.time === 'utc' || log.look.time === 'local' ? log.look.time : 'clock';
  const {style} = paneOf(frame, log);
  const whole: RowStyle = {
    ...style,
    look: {...style.look, wraps: false, cellsLeft: 0, time},
    // Every line has the value; a hit that the layout leaves out would show the line as received.
    layersOf: () => [],
  };
  return ({key, source, line}) => ({
    key,
    row: () => {
      const prefix: ViewRow = [
        edgeLevel(line, sources[source]?.tail.log.buffer),
        span(`${line.textIndex === 0 ? ' '.repeat(whenWidth(time)) : formatWhen(line.at, time, frame)} `, 'dim'),
        ...originOf(labels[source], tags, line.source),
      ];
      const textColumns = frame.columns - indicatorColumns - rowWidth(prefix);
      const [body = []] = formatEntry(line, {...whole, textColumns}, undefined);
      return [...prefix, ...body];
    },
  });
};

/** Returns the highlighted line; undefined while none is found. */
export const selectedValueTraceLine = (
  lines: readonly ValueTraceLine[],
  pane: ValueTracePane,
): ValueTraceLine | undefined => lines[selectedIndexOf(lines, pane)];

const hints: readonly Hint[] = [
  [['openLine'], 'goes there'],
  [['copyLines'], 'copy all'],
  [['back'], 'back to the line'],
  [['moveUp', 'moveDown'], 'choose'],
  [['toggleHelp'], 'help'],
];
