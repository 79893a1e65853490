import type {Command} from '#app/keys/keymap.ts';
import {type LogHandler, withLog} from '#app/state/handler.ts';
import {stay} from '#app/state/step.ts';
import type {Marker} from '#log/line/entry.ts';
import {findMarker} from '#log/overview/find-in-log.ts';
import {paneOf} from '../log-pane.ts';
import {goToIndex, readerIndex} from '../pane/cursor.ts';

const isGap = ({kind}: Marker): boolean => kind === 'gap';
const isAny = (): boolean => true;

const jumps = {
  nextGap: {direction: 'next', holds: isGap, none: 'no more gaps below'},
  previousGap: {direction: 'previous', holds: isGap, none: 'no more gaps above'},
  nextMarker: {direction: 'next', holds: isAny, none: 'no more markers below'},
  previousMarker: {direction: 'previous', holds: isAny, none: 'no more markers above'},
} as const;

const isJump = (command: Command): command is keyof typeof jumps => command in jumps;

/** Goes to the next or previous marker from the reader's place, see `readerIndex`. */
export const jumpToMarker: LogHandler = (state, log, command) => {
  if (!isJump(command)) {
    return undefined;
  }
  const {direction, holds, none} = jumps[command];
  const pane = paneOf(state, log);
  const found = findMarker(pane.view, {fromIndex: readerIndex(log, pane), direction, holds});
  return stay(found === undefined ? {...state, notice: none} : withLog(state, goToIndex(log, pane, found.index)));
};
