import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {doWork} from '#api/client/do-work.ts';
import type {PreparedWindow} from '#app/state/event.ts';
import {findSource} from '#app/state/log-sources.ts';
import type {LogSource, State} from '#app/state/state.ts';
import {takeAnswer} from '#app/tail/tail.ts';
import type {Work} from '#log/work.ts';
import {readNewLines} from '../log/held/take-tail.ts';

/** Works out what an answer makes of a branch's log. */
function* prepareWindow(source: LogSource, answer: Answer<LogAnswer>): Work<PreparedWindow> {
  const taken = yield* takeAnswer(source.tail, answer);
  return {source, taken, shapes: yield* readNewLines(source.shapes, source.tail.log.buffer, taken.log.buffer)};
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
