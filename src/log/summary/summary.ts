import {type Chunk, timeAt} from '#log/buffer/chunk.ts';
import {textsOf} from '#log/buffer/chunk-text.ts';
import type {SourceName} from '#log/line/entry.ts';
import {earliestOf, type Instant, latestOf} from '#log/line/instant.ts';
import {levelOf} from '#log/reading/level.ts';
import {type Level, levelOfRank, levelRank} from '#log/tokens/level-words.ts';
import {FrequentTable, type FrequentValue} from '#log/traits/frequent-table.ts';
import {continuationsOf, levelsOf} from '#log/traits/line-traits.ts';
import {type LinePart, readLineParts} from '#log/traits/read-parts.ts';
import {headlineAt} from '#log/traits/trace.ts';
import type {LogView} from '#log/view/log-view.ts';
import {declaredSourceAt} from '#log/view/sources.ts';
import {sourceKey} from '#log/words/source-words.ts';

/**
 * `errors`: the shapes of lines of level error or worse; `sources`: who wrote these, by `sourceKey`; `warnings`: the
 * shapes of lines of level warn.
 */
export type TableName = 'errors' | 'warnings' | 'sources' | 'statuses' | 'paths' | 'clients' | 'shapes';

/** A row of a table of the summary. */
export type SummaryRow = FrequentValue & {readonly table: TableName};

/** The most frequent values of one kind. */
export type SummaryTable = {
  readonly rows: readonly SummaryRow[];
  /** Lines that have such a value at all. */
  readonly total: number;
  /** Those of them that no row counts. */
  readonly others: number;
  /** How many different values there are; false if there were too many to hold, so that counts may be slightly low. */
  readonly distinct: number | false;
};

/**
 * The counted content of a log. Levels are in order of first occurrence; they count lines that do not continue the one
 * above them, so a stack trace counts once.
 */
export type SummaryResult = {
  readonly lineCount: number;
  readonly firstAt: Instant | undefined;
  readonly lastAt: Instant | undefined;
  readonly levels: ReadonlyMap<Level, number>;
} & Readonly<Record<TableName, SummaryTable>>;

/** A summary in progress. Its fields are private to this module. */
type Summary = {
  lineCount: number;
  firstAt: Instant | undefined;
  lastAt: Instant | undefined;
  readonly levels: Map<Level, number>;
} & Readonly<Record<TableName, FrequentTable>>;

/** Facts about a line that the caller already has, so that they are not computed again. */
type KnownOfLine = {
  readonly level?: Level;
  /** It continues the line above it, like a row of a stack trace: it has neither a level nor a shape of its own. */
  readonly isContinuation?: boolean;
  /** The line that says what it is about, see `headlineAt`: the line itself if absent. */
  readonly headline?: string | undefined;
  /** Who wrote it, where the service says so of lines near it. */
  readonly source?: SourceName | undefined;
};

/** Makes something for each table. */
const ofTables = <T>(make: (name: TableName) => T): Readonly<Record<TableName, T>> => ({
  errors: make('errors'),
  warnings: make('warnings'),
  sources: make('sources'),
  statuses: make('statuses'),
  paths: make('paths'),
  clients: make('clients'),
  shapes: make('shapes'),
});

const errorRank = levelRank('error');

/** Errors from `recentFrom` on count as recent. */
export const createSummary = (recentFrom?: Instant | undefined): Summary => ({
  lineCount: 0,
  firstAt: undefined,
  lastAt: undefined,
  levels: new Map(),
  ...ofTables(name => new FrequentTable(name === 'errors' || name === 'warnings' ? recentFrom : undefined)),
});

/**
 * Counts a line; its text is as received. Takes a few microseconds, occasionally a millisecond, and bounded memory, so
 * a caller can go through a whole buffer in slices.
 */
export const addTo = (summary: Summary, text: string, at: Instant, known: KnownOfLine = {}): void => {
  summary.lineCount += 1;
  summary.firstAt = summary.firstAt === undefined || at < summary.firstAt ? at : summary.firstAt;
  summary.lastAt = summary.lastAt === undefined || at > summary.lastAt ? at : summary.lastAt;
  if (known.isContinuation) {
    return;
  }
  const level = known.level ?? levelOf(text);
  summary.levels.set(level, (summary.levels.get(level) ?? 0) + 1);
  const {shape, status, path, client} = readLineParts(known.headline ?? text, level);
  const count = (name: TableName, part: LinePart<string | number> | undefined): void => {
    if (part !== undefined) {
      summary[name].add(String(part.value), part.source, text, at);
    }
  };
  count('shapes', shape);
  if (levelRank(level) >= errorRank) {
    count('errors', shape);
    count('sources', known.source && {value: sourceKey(known.source), source: 'text'});
  }
  count('warnings', level === 'warn' ? shape : undefined);
  count('statuses', status);
  count('paths', path);
  count('clients', client);
};

const finishTable = (table: FrequentTable, name: TableName, topN: number): SummaryTable => {
  const rows = table.top(topN).map(value => ({...value, table: name}));
  const counted = rows.reduce((sum, {count}) => sum + count, 0);
  return {rows, total: table.total, others: table.total - counted, distinct: table.distinct};
};

/** Returns the summary so far, with at most `topN` rows per table; more lines can be added afterwards. */
export const finishSummary = (summary: Summary, topN: number): SummaryResult => ({
  lineCount: summary.lineCount,
  firstAt: summary.firstAt,
  lastAt: summary.lastAt,
  levels: new Map(summary.levels),
  ...ofTables(name => finishTable(summary[name], name, topN)),
});

/** The unit of summarising: entries of one chunk. */
export type SummaryPart = {
  readonly chunk: Chunk;
  /** The ascending offsets of those entries; undefined for all. */
  readonly offsets: Uint16Array | undefined;
};

/** Indices of a view, both included. */
export type ViewRange = {readonly first: number; readonly last: number};

/** Splits a view, or a range of it, into parts, newest first. O(chunks). */
export const partsOf = (view: LogView, range?: ViewRange): readonly SummaryPart[] => {
  const from = range && view.offsetsAt(range.first);
  const to = range && view.offsetsAt(range.last + 1);
  const parts = view.lists.map(({buffer, offsetsIn}, source) =>
    buffer.chunks.flatMap((chunk, index): readonly SummaryPart[] => {
      const start = buffer.starts[index] ?? 0;
      const low = Math.max(0, (from?.[source] ?? 0) - start);
      const high = Math.min(chunk.entryCount, (to?.[source] ?? buffer.entryCount) - start);
      const offsets = low === 0 && high === chunk.entryCount ? offsetsIn(index) : cut(offsetsIn(index), low, high);
      return offsets?.length === 0 ? [] : [{chunk, offsets}];
    }),
  );
  return parts
    .flat()
    .toSorted((a, b) => (a.chunk.lastAt < b.chunk.lastAt ? 1 : a.chunk.lastAt > b.chunk.lastAt ? -1 : 0));
};

const cut = (offsets: Uint16Array | undefined, low: number, high: number): Uint16Array =>
  offsets?.filter(offset => offset >= low && offset < high) ??
  Uint16Array.from({length: Math.max(0, high - low)}, (_, index) => low + index);

export const countEntries = ({chunk, offsets}: SummaryPart): number => offsets?.length ?? chunk.entryCount;

/** Counts the lines of a part; markers are not counted. */
export const addPart = (summary: Summary, {chunk, offsets}: SummaryPart): void => {
  const levels = levelsOf(chunk);
  const continuations = continuationsOf(chunk);
  let next = 0;
  const texts = textsOf(chunk);
  for (const [offset, text] of texts.entries()) {
    const isWanted = offsets === undefined || offsets[next] === offset;
    next += isWanted ? 1 : 0;
    const at = timeAt(chunk, offset);
    if (isWanted && text !== undefined && at !== undefined) {
      addTo(summary, text, at, {
        level: levelOfRank(levels[offset] ?? 0),
        isContinuation: continuations[offset] === 1,
        headline: headlineAt(chunk, offset, texts),
        source: declaredSourceAt(chunk, offset),
      });
    }
  }
};

type Trend = 'rising' | 'steady' | 'falling';

/** The newest quarter of the time is compared with the rest. */
const recentShare = 4n;
/** With fewer lines, or a smaller change, it may be chance. */
const linesMin = 4;
const timesMin = 2;

/** Returns when the newest quarter of the time of some parts begins; undefined without parts. */
export const recentFromOf = (parts: readonly SummaryPart[]): Instant | undefined => {
  const first = earliestOf(parts.map(({chunk, offsets}) => timeAt(chunk, offsets?.at(0) ?? 0)));
  const last = latestOf(parts.map(({chunk, offsets}) => timeAt(chunk, offsets?.at(-1) ?? chunk.entryCount - 1)));
  return first === undefined || last === undefined ? undefined : last - (last - first) / recentShare;
};

/** Compares how often a value came in the newest quarter of the time and before; undefined if it came too rarely. */
export const trendOf = ({count, recentCount}: Pick<FrequentValue, 'count' | 'recentCount'>): Trend | undefined => {
  const before = (count - recentCount) / (Number(recentShare) - 1);
  if (count < linesMin) {
    return undefined;
  }
  return recentCount >= timesMin * before ? 'rising' : timesMin * recentCount <= before ? 'falling' : 'steady';
};
