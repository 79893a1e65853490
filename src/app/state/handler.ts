import type {Command} from '../keys/keymap.ts';
import type {LogState, State} from './state.ts';
import type {Step} from './step.ts';

/** What a command on the log screen comes to; undefined where it is none of this handler's. */
export type LogHandler = (state: State, log: LogState, command: Command) => Step | undefined;

/** The state with its log changed. */
export const withLog = (state: State, log: LogState): State => ({...state, log});
