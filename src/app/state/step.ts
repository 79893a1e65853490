import {type InputFocus, withPrompt} from '#app/keys/input-focus.ts';
import type {Command} from '#app/keys/keymap.ts';
import {openPrompt, type PromptKind} from '#app/keys/prompt.ts';
import type {Overlay} from '#app/panes/panes.ts';
import type {Effect} from './effect.ts';
import type {LogState, State} from './state.ts';

/**
 * Returns the rows left for a log or list: all but the header, the strip or blank row, the state line and the hints.
 */
export const paneRows = (state: Pick<State, 'rows'>): number => Math.max(1, state.rows - 4);

/** The minimum size of the screens. */
export const columnsMin = 20;
export const rowsMin = 5;

/** Who gets the keys. */
type Focus =
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

/** The result of an event: the next state and its effects. */
export type Step = {readonly state: State; readonly effects: readonly Effect[]};

export const next = (state: State, ...effects: readonly Effect[]): Step => ({state, effects});

/** Handles a command on the log screen; returns undefined if the command is not this handler's. */
export type LogHandler = (state: State, log: LogState, command: Command) => Step | undefined;

/** Returns the state with its log replaced. */
export const withLog = (state: State, log: LogState): State => ({...state, log});

/** Handles a command that only this pane over the lines has; returns undefined for all others. */
export type ListHandler<Pane extends Overlay> = (
  state: State,
  log: LogState,
  pane: Pane,
  command: Command,
) => Step | undefined;

/** Closes the pane over the lines, and stops what was being computed for it. */
export const closePane = (state: State, log: LogState): Step =>
  next(
    withLog(state, {...log, overlay: undefined}),
    ...(log.overlay?.kind === 'summary' ? [{kind: 'cancelSummary'} as const] : []),
  );

const patternPrompts: ReadonlySet<PromptKind> = new Set(['search', 'include', 'exclude', 'highlight']);

/** Opens a prompt. While a pattern is typed, what searches for it gets ready. */
export const askFor = (state: State, kind: PromptKind, text = ''): Step =>
  next(
    {...state, focus: withPrompt(state.focus, openPrompt(kind, text))},
    ...(patternPrompts.has(kind) ? [{kind: 'prepareSearch'} as const] : []),
  );
