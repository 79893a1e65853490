import {setImmediate as nextTurn} from 'node:timers/promises';
import {layOutPages} from '../app/log/lines/lay-out-pages.ts';
import type {State} from '../app/state/state.ts';

/** A key that comes meanwhile waits for no more lines than these. */
const linesPerTurn = 4;

/**
 * Lays out the pages around the screen, which is most of what a page key costs, before a key asks for them. Nothing
 * while the newest line is followed: what comes next is not there yet. Lets the frame be written first. An abort ends
 * it quietly.
 */
export const preparePages = async (state: State, signal: AbortSignal): Promise<void> => {
  await nextTurn();
  const {screen, log} = state;
  if (screen !== 'log' || log?.viewport.kind !== 'paused') {
    return;
  }
  const work = layOutPages(state, log);
  for (let lines = 1; !signal.aborted && work.next().done === false; lines += 1) {
    if (lines % linesPerTurn === 0) {
      await nextTurn();
    }
  }
};
