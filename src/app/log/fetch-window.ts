import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {doWork} from '#api/client/do-work.ts';
import type {Effect} from '#app/state/effect.ts';
import type {PreparedWindow} from '#app/state/event.ts';
import {findSource, viewAll, viewLog} from '#app/state/log-sources.ts';
import type {LogSource, LogState, State} from '#app/state/state.ts';
import type {Step} from '#app/state/step.ts';
import {canReadBackTo, canReadOn, isUnread, type Tail, takeAnswer} from '#app/tail/tail.ts';
import {createBuffer} from '#log/buffer/buffer.ts';
import {readUpTo} from '#log/ingest/numbered.ts';
import type {ReadDirection} from '#log/line/unread.ts';
import {noShapes} from '#log/traits/shape-table.ts';
import type {Work} from '#log/work.ts';
import {readNewLines} from './held-logs.ts';

/** Works out what an answer makes of a branch's log. */
function* prepareWindow(source: LogSource, answer: Answer<LogAnswer>): Work<PreparedWindow> {
  const taken = yield* takeAnswer(source.tail, answer);
  const {kept} = answer.value;
  const shapes = kept === undefined ? source.shapes : {...noShapes, learnedUntil: kept.learnedUntil};
  const before = kept === undefined ? source.tail.log.buffer : createBuffer(0);
  return {source, taken, shapes: yield* readNewLines(shapes, before, taken.log.buffer)};
}

/** Checks whether nothing that the prepared window depends on has changed since. */
export const isPreparedFor = ({source}: PreparedWindow, now: LogSource): boolean =>
  source.tail.log === now.tail.log && source.shapes === now.shapes;

type Place = {readonly branchId: string; readonly generation: number};

/**
 * Prepares the window of an answer between keys, before the answer becomes an event; returns undefined if the branch's
 * log is no longer there. If the log changes in the meantime, prepares it again.
 */
export type WindowPreparer = (
  place: Place,
  answer: Answer<LogAnswer>,
  signal: AbortSignal,
) => Promise<PreparedWindow | undefined>;

export const createWindowPreparer =
  (state: () => State): WindowPreparer =>
  async (place, answer, signal) => {
    for (;;) {
      const source = sourceAt(state(), place);
      const prepared = source && (await doWork(prepareWindow(source, answer), signal));
      const now = prepared && sourceAt(state(), place);
      if (prepared === undefined || now === undefined || isPreparedFor(prepared, now)) {
        return prepared;
      }
    }
  };

/** Returns the branch in the open log, or in the held one, of that generation. */
const sourceAt = ({generation: open, log, held}: State, {branchId, generation}: Place): LogSource | undefined => {
  const found = generation === open ? log : held.find(each => each.generation === generation)?.log;
  return found && findSource(found, branchId);
};

/** So near to the first entry, lines from before it are asked for: some screens. */
const nearEntries = 200;

/** Requests what a branch's log does not have yet. `log`: the log on the screen, if it is that. */
export const fetchWindow = ({branch, tail}: LogSource, siteId: string, generation: number, log?: LogState): Effect => {
  const after = readUpTo(tail.log.numbered);
  const wants = log && wantedLines(tail, log);
  const known = after && (wants ? {...after, wants} : after);
  return {kind: 'fetchWindow', siteId, branchId: branch._id, generation, ...(known && {after: known})};
};

/** Returns where lines are wanted that were not read. */
export const wantedLines = (tail: Tail, log: LogState): ReadDirection | undefined => {
  const {viewport, goToAt, readBack} = log;
  const near = viewport.kind === 'paused' ? nearEnds(log) : [];
  return (
    near.find(direction => canReadOn(tail, direction)) ??
    ([goToAt, readBack?.to].some(at => at !== undefined && canReadBackTo(tail, at)) ? 'earlier' : undefined)
  );
};

/** Returns the ends of the log that the reader is near to. */
export const nearEnds = (log: LogState): readonly ReadDirection[] => {
  const view = viewLog(log);
  const index = log.viewport.kind === 'following' ? view.entryCount : view.indexOf(log.viewport.top);
  return [
    ...(index < nearEntries ? ['earlier' as const] : []),
    ...(index > view.entryCount - nearEntries ? ['later' as const] : []),
  ];
};

/** Runs after a key: asks at once for the lines that the reader comes near to, instead of with the next poll. */
export const readOn = (before: LogState, {state, effects}: Step): Step => {
  const {log, generation} = state;
  if (log === undefined || log === before || log.siteId !== before.siteId) {
    return {state, effects};
  }
  const [source] = log.sources;
  const wants = wantedLines(source.tail, log);
  const order =
    wants !== undefined && wants !== wantedLines(before.sources[0].tail, before)
      ? fetchWindow(source, log.siteId, generation, log)
      : moveOn(source, before, log, generation);
  return {state, effects: order === undefined ? effects : [...effects, order]};
};

/** At an end of a full buffer, other lines have to go: the part is opened that goes on there. */
const moveOn = (source: LogSource, before: LogState, log: LogState, generation: number): Effect | undefined => {
  const {branch, tail} = source;
  const {viewport} = log;
  const isMoved = viewport !== before.viewport && viewport.kind === 'paused';
  const direction = nearEnds(log).find(end => isUnread(tail, end) && !canReadOn(tail, end));
  if (!isMoved || direction === undefined || (direction === 'earlier' && viewLog(log).indexOf(viewport.top) > 0)) {
    return undefined;
  }
  const at = viewAll(log).timeAt(0);
  return {
    kind: 'findUnread',
    branchId: branch._id,
    // Evicted lines lie between the first line of the buffer and the part that was not read.
    wish: tail.log.buffer.evictedLines > 0 && at !== undefined ? {kind: 'time', at} : {kind: 'edge', direction},
    generation,
  };
};
