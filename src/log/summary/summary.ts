import type {Instant} from '#log/line/instant.ts';
import type {SourceName} from '#log/line/source-name.ts';
import {levelOf} from '#log/reading/level.ts';
import {type Level, levelRank} from '#log/tokens/level-words.ts';
import {FrequentTable, type FrequentValue} from '#log/traits/frequent-table.ts';
import {type LinePart, readLineParts} from '#log/traits/read-parts.ts';
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
export type Summary = {
  lineCount: number;
  firstAt: Instant | undefined;
  lastAt: Instant | undefined;
  readonly levels: Map<Level, number>;
} & Readonly<Record<TableName, FrequentTable>>;

/** What the caller already knows of a line, so that it is not computed again. */
export type KnownOfLine = {
  readonly level?: Level;
  /** It continues the line above it, like a row of a stack trace: it has neither a level nor a shape of its own. */
  readonly isContinuation?: boolean;
  /** What says what it is about, see `headlineAt`: the line itself if absent. */
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
