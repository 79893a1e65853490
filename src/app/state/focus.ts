import type {Front} from './front.ts';
import type {LogState, Overlay, State} from './state.ts';

/** Who gets the keys. */
export type Focus =
  | Exclude<Front, {readonly kind: 'none'}>
  | {readonly kind: 'overlay'; readonly overlay: Overlay; readonly log: LogState}
  /** The list or the lines. */
  | {readonly kind: 'pane'};

/** Returns who gets the keys: what is in front, else the pane over the log's lines, else the screen's own pane. */
export const focusOf = ({front, log}: Pick<State, 'front' | 'log'>): Focus => {
  if (front.kind !== 'none') {
    return front;
  }
  return log?.overlay === undefined ? {kind: 'pane'} : {kind: 'overlay', overlay: log.overlay, log};
};
