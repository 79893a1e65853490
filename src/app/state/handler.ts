import type {Command} from '../keys/keymap.ts';
import type {LogState, State} from './state.ts';
import type {Step} from './step.ts';

/** Handles a command on the log screen; returns undefined if the command is not this handler's. */
export type LogHandler = (state: State, log: LogState, command: Command) => Step | undefined;

/** Returns the state with its log replaced. */
export const withLog = (state: State, log: LogState): State => ({...state, log});
