import type {Command} from '#app/keys/keymap.ts';
import type {LogState, Overlay, State} from './state.ts';
import {type Step, stay} from './step.ts';

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
  stay(
    withLog(state, {...log, overlay: undefined}),
    ...(log.overlay?.kind === 'summary' ? [{kind: 'cancelSummary'} as const] : []),
  );
