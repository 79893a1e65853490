import type {Marker} from '../../../log/line/entry.ts';
import {findMarker} from '../../../log/view/find-marker.ts';
import type {Command} from '../../keys/keymap.ts';
import type {LogState, State} from '../../state/state.ts';
import {goToIndex, readerIndex} from '../pane/cursor.ts';
import {paneOf} from '../pane/log-pane.ts';

type JumpCommand = Extract<Command, 'nextGap' | 'previousGap' | 'nextMarker' | 'previousMarker'>;

export const isJump = (command: Command): command is JumpCommand => command in jumps;

const isGap = ({kind}: Marker): boolean => kind === 'gap';
const isAny = (): boolean => true;

const jumps = {
  nextGap: {direction: 'next', holds: isGap, none: 'no more gaps below'},
  previousGap: {direction: 'previous', holds: isGap, none: 'no more gaps above'},
  nextMarker: {direction: 'next', holds: isAny, none: 'no more markers below'},
  previousMarker: {direction: 'previous', holds: isAny, none: 'no more markers above'},
} as const;

/**
 * Moves the cursor to the next or previous marker and scrolls it into view; returns a sentence if there is none. Starts
 * from the reader's place, see `readerIndex`.
 */
export const jumpToMarker = (state: State, log: LogState, command: JumpCommand): LogState | {readonly none: string} => {
  const {direction, holds, none} = jumps[command];
  const pane = paneOf(state, log);
  const found = findMarker(pane.view, {fromIndex: readerIndex(log, pane), direction, holds});
  return found === undefined ? {none} : goToIndex(log, pane, found.index);
};
