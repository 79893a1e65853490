import {setImmediate as nextTurn} from 'node:timers/promises';
import {layOutPages} from '#app/log/select-lines.ts';
import type {State} from '#app/state/state.ts';

/** A key that comes meanwhile waits no longer than this, milliseconds, and for one line. */
const turnMsMax = 1;

/**
 * Lays out the pages around the screen, which is most of what a page key costs, before a key asks for them. Nothing
 * while the newest line is followed: what comes next is not there yet. Lets the frame be written first. Ends when
 * `isLeft` says that the screen is another.
 */
export const preparePages = async (state: State, isLeft: () => boolean): Promise<void> => {
  await nextTurn();
  const {screen, log} = state;
  if (screen !== 'log' || log?.viewport.kind !== 'paused') {
    return;
  }
  const work = layOutPages(state, log);
  let endMs = performance.now() + turnMsMax;
  while (!isLeft() && work.next().done === false) {
    if (performance.now() > endMs) {
      await nextTurn();
      endMs = performance.now() + turnMsMax;
    }
  }
};
