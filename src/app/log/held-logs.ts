import type {Branch} from '#api/client/answer.ts';
import {createKeptViews} from '#app/parts/kept-views.ts';
import type {HeldLog, LogSource, LogState, State} from '#app/state/state.ts';
import type {Tail} from '#app/tail/tail.ts';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import type {Instant} from '#log/line/instant.ts';
import {readTraits} from '#log/traits/line-traits.ts';
import {type ShapeTable, takeShapes} from '#log/traits/shape-table.ts';
import {learnSources} from '#log/view/sources.ts';
import {sourceKey, unsaidSource} from '#log/words/source-words.ts';
import {finishWork, type Work} from '#log/work.ts';
import {applyFilters} from './apply-filters.ts';

/** Reads the lines that a buffer has and an earlier one had not: their traits, and the shapes of new events. */
export function* readNewLines(known: ShapeTable, before: LineBuffer, now: LineBuffer): Work<ShapeTable> {
  if (before === now) {
    return known;
  }
  yield* readTraits(now);
  return yield* takeShapes(known, before, now);
}

/**
 * Replaces one branch's tail, and updates what depends on its lines: learns who wrote them, and the shapes of new
 * events if they were not read before; carries known matches over to the new chunks and applies the filters. The only
 * place where a tail changes.
 */
export const takeTail = (log: LogState, branchId: string, tail: Tail, shapesRead?: ShapeTable): LogState => {
  const source = log.sources.find(({branch}) => branch._id === branchId);
  if (source === undefined) {
    return log;
  }
  const [before, now] = [source.tail.log.buffer, tail.log.buffer];
  if (before === now) {
    return withSource(log, {...source, tail});
  }
  const shapes = shapesRead ?? finishWork(readNewLines(source.shapes, before, now));
  const sourceNames = learnSources(log.sourceNames, before, now);
  const known = {...withSource(log, {...source, tail, shapes}), sourceNames};
  const settled = before.lineCount === 0 ? withoutGonePick(known) : known;
  return applyFilters(carryMatches(settled, source.tail, tail));
};

/** Drops a choice that was remembered, if none of its sources writes any more: pods go with every rollout. */
const withoutGonePick = (log: LogState): LogState => {
  const keys = new Set([unsaidSource, ...log.sourceNames].map(sourceKey));
  return log.sourceNames.length === 0 || log.sourcePick?.names.some(name => keys.has(sourceKey(name))) !== false
    ? log
    : {...log, sourcePick: undefined};
};

const withSource = (log: LogState, changed: LogSource): LogState => {
  const change = (source: LogSource): LogSource => (source.branch._id === changed.branch._id ? changed : source);
  const [first, ...others] = log.sources;
  return {...log, sources: [change(first), ...others.map(change)]};
};

const carryMatches = (log: LogState, before: Tail, after: Tail): LogState => {
  for (const {matches} of log.use.patterns) {
    matches.carry(before.log.buffer, after.log.buffer);
  }
  const patterns = log.use.patterns.map(pattern =>
    pattern.version === pattern.matches.version() ? pattern : {...pattern, version: pattern.matches.version()},
  );
  return patterns.every((pattern, index) => pattern === log.use.patterns[index])
    ? log
    : {...log, use: {...log.use, patterns}};
};

/** Nobody goes back and forth between more; each is polled as well for a while. */
export const heldLogsMax = 8;

/** Returns the held logs after the open one was left; one without entries is not worth holding. */
export const holdLog = ({held, generation, nowMs}: State, log: LogState): readonly HeldLog[] => {
  const isEmpty = log.sources.every(({tail}) => tail.log.buffer.entryCount === 0);
  // The filters are worked out again when the log is opened; its rows are formatted again.
  const left: LogState = {
    ...log,
    overlay: undefined,
    filtering: undefined,
    saving: {kind: 'idle'},
    kept: createKeptViews(),
  };
  return isEmpty ? held : [...held, {log: left, generation, leftAtMs: nowMs, askedAtMs: nowMs}].slice(-heldLogsMax);
};

/** Returns the held log of exactly these branches. */
export const findHeld = (
  {held}: Pick<State, 'held'>,
  siteId: string,
  branches: readonly Branch[],
): HeldLog | undefined =>
  held.find(
    ({log}) =>
      log.siteId === siteId &&
      log.sources.length === branches.length &&
      log.sources.every(({branch}) => branches.some(({_id}) => _id === branch._id)),
  );

/** Returns a held log as it is opened again: as it was left, with the branches' latest records. */
export const reopenLog = ({log}: HeldLog, branches: readonly Branch[]): LogState => {
  const renew = ({branch, tail, shapes}: LogSource): LogSource => ({
    shapes,
    branch: branches.find(({_id}) => _id === branch._id) ?? branch,
    // It is live again with the next answer.
    tail: tail.connection.kind === 'live' ? {...tail, connection: {kind: 'connecting'}} : tail,
  });
  const [first, ...others] = log.sources;
  return {
    ...log,
    sources: [renew(first), ...others.map(renew)],
    watch: {...log.watch, isAsking: false, asksAgain: false},
  };
};

/** Returns how many lines a log holds, and the time of the oldest. */
export const heldLines = ({sources}: LogState): {readonly count: number; readonly from: Instant | undefined} => ({
  count: sources.reduce((sum, {tail}) => sum + tail.log.buffer.lineCount, 0),
  from: sources
    .flatMap(({tail}) => tail.log.buffer.chunks[0]?.firstAt ?? [])
    .reduce<Instant | undefined>((oldest, at) => (oldest === undefined || at < oldest ? at : oldest), undefined),
});

/**
 * Keeps all logs, open and held, within the bound for one log: the log that was left first gives up its oldest lines
 * first.
 */
export const fitHeld = (state: State): State => {
  const {held, log, logSettings} = state;
  let excess = held.reduce((sum, each) => sum + bytesOf(each.log), log === undefined ? 0 : bytesOf(log));
  excess -= logSettings.bufferBytesMax;
  if (held.length === 0 || excess <= 0) {
    return state;
  }
  const fitted: HeldLog[] = [];
  for (const each of held) {
    const bytes = bytesOf(each.log);
    const log = excess <= 0 ? each.log : trimLog(each.log, Math.max(0, 1 - excess / bytes));
    const freed = bytes - bytesOf(log);
    // The lines of the newest time can't be trimmed, so it may be that the whole log has to go.
    const isKept = freed >= excess;
    excess -= isKept ? freed : bytes;
    fitted.push(...(isKept ? [log === each.log ? each : {...each, log}] : []));
  }
  return {...state, held: fitted};
};

const bytesOf = ({sources}: LogState): number => sources.reduce((sum, {tail}) => sum + tail.log.buffer.bytes, 0);

/** Keeps this share of the bytes of each branch, 0 to 1: its newest lines. */
const trimLog = (log: LogState, share: number): LogState =>
  log.sources.reduce((trimmed, {branch, tail}) => takeTail(trimmed, branch._id, trimTail(tail, share)), log);

const trimTail = (tail: Tail, share: number): Tail => {
  const {buffer} = tail.log;
  const trimmed = editBuffer({...buffer, bytesMax: Math.floor(buffer.bytes * share)}).finish();
  return {...tail, log: {...tail.log, buffer: {...trimmed, bytesMax: buffer.bytesMax}}};
};
