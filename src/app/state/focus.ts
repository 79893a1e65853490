import type {Command} from '#app/keys/keymap.ts';
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

/** Returns the command that closes what is open over a list or a log; undefined if nothing is. */
export const closingCommand = (state: Pick<State, 'focus' | 'log' | 'screen' | 'branches'>): Command | undefined => {
  const {kind} = focusOf(state);
  const isInRecord = state.screen === 'branches' && state.branches?.details !== undefined;
  return kind === 'help' ? 'toggleHelp' : kind === 'overlay' || (kind === 'pane' && isInRecord) ? 'back' : undefined;
};
