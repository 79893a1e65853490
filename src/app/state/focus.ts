import type {InputFocus} from './input-focus.ts';
import type {LogState, Overlay, State} from './state.ts';

/** Who gets the keys. */
export type Focus =
  | Exclude<InputFocus, {readonly kind: 'screen'}>
  | {readonly kind: 'overlay'; readonly overlay: Overlay; readonly log: LogState}
  /** The list or the lines. */
  | {readonly kind: 'pane'};

/** Returns who gets the keys: what is open over the screen, or the pane over the lines, or the screen's own pane. */
export const focusOf = ({focus, log}: Pick<State, 'focus' | 'log'>): Focus => {
  if (focus.kind !== 'screen') {
    return focus;
  }
  return log?.overlay === undefined ? {kind: 'pane'} : {kind: 'overlay', overlay: log.overlay, log};
};
