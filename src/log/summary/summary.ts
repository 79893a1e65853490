import type {Instant} from '../line/instant.ts';
import type {SourceName} from '../line/source-name.ts';
import {levelOf} from '../reading/level.ts';
import type {Level} from '../reading/tokens/level-words.ts';
import {levelRank} from '../reading/tokens/level-words.ts';
import {sourceKey} from '../sources/source-words.ts';
import {FrequentTable, type FrequentValue} from './frequent-table.ts';
import {readLineParts} from './read-parts.ts';

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

const errorRank = levelRank('error');

/** Errors from `recentFrom` on count as recent. */
export const createSummary = (recentFrom?: Instant | undefined): Summary => ({
  lineCount: 0,
  firstAt: undefined,
  lastAt: undefined,
  levels: new Map(),
  errors: new FrequentTable(recentFrom),
  warnings: new FrequentTable(recentFrom),
  sources: new FrequentTable(),
  statuses: new FrequentTable(),
  paths: new FrequentTable(),
  clients: new FrequentTable(),
  shapes: new FrequentTable(),
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
  summary.shapes.add(shape.value, shape.source, text, at);
  if (levelRank(level) >= errorRank) {
    summary.errors.add(shape.value, shape.source, text, at);
    if (known.source !== undefined) {
      summary.sources.add(sourceKey(known.source), 'text', text, at);
    }
  }
  if (level === 'warn') {
    summary.warnings.add(shape.value, shape.source, text, at);
  }
  if (status) {
    summary.statuses.add(String(status.value), status.source, text, at);
  }
  if (path) {
    summary.paths.add(path.value, path.source, text, at);
  }
  if (client) {
    summary.clients.add(client.value, client.source, text, at);
  }
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
  errors: finishTable(summary.errors, 'errors', topN),
  warnings: finishTable(summary.warnings, 'warnings', topN),
  sources: finishTable(summary.sources, 'sources', topN),
  statuses: finishTable(summary.statuses, 'statuses', topN),
  paths: finishTable(summary.paths, 'paths', topN),
  clients: finishTable(summary.clients, 'clients', topN),
  shapes: finishTable(summary.shapes, 'shapes', topN),
});
