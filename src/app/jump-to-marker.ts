import type {Marker} from '../log/entry.ts';
import {findMarker} from '../log/find-marker.ts';
import {pauseAt, topIndex} from '../log/viewport.ts';
import type {Command} from './keymap.ts';
import {viewLog} from './log-sources.ts';
import type {LogState} from './state.ts';

type JumpCommand = Extract<Command, 'nextGap' | 'previousGap' | 'nextMarker' | 'previousMarker'>;

export const isJump = (command: Command): command is JumpCommand => command in jumps;

const isGap = ({kind}: Marker): boolean => kind === 'gap';
const isAny = (): boolean => true;

const jumps = {
  nextGap: {direction: 'next', holds: isGap, none: 'no gap further down'},
  previousGap: {direction: 'previous', holds: isGap, none: 'no gap further up'},
  nextMarker: {direction: 'next', holds: isAny, none: 'no marker further down'},
  previousMarker: {direction: 'previous', holds: isAny, none: 'no marker further up'},
} as const;

/** Of the pane stands above the marker: what led to it is read first. */
const contextShare = 1 / 3;

/**
 * Brings the next or the previous marker into view, with some of what is above it, and pauses there; a sentence where there is none. It goes on from
 * the marker jumped to last, else from the top row, or while following from the end.
 */
export const jumpToMarker = (log: LogState, command: JumpCommand, rows: number): LogState | {readonly none: string} => {
  const {direction, holds, none} = jumps[command];
  const view = viewLog(log);
  const found = findMarker(view, {fromIndex: placeOf(log, rows), direction, holds});
  if (found === undefined) {
    return {none};
  }
  const last = Math.max(0, view.entryCount - rows);
  const top = Math.max(0, Math.min(last, found.index - Math.floor(rows * contextShare)));
  const viewport = pauseAt(view, top, log.viewport);
  return {...log, viewport, jump: {anchor: found.anchor, viewport}};
};

/** Where the reader is, as an index of the view. */
const placeOf = (log: LogState, rows: number): number => {
  const view = viewLog(log);
  if (log.jump?.viewport === log.viewport) {
    return view.indexOf(log.jump.anchor);
  }
  return log.viewport.kind === 'following' ? view.entryCount : topIndex(log.viewport, view, rows);
};
