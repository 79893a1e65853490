import type {Answer} from '../api/answer.ts';
import type {ApiError} from '../api/api-error.ts';
import type {Branch} from '../api/branch.ts';
import type {LogAnswer} from '../api/log-window.ts';
import type {Command} from './keymap.ts';

/** What has happened, as far as the state is concerned. */
export type Happening =
  | {readonly kind: 'started'}
  | {readonly kind: 'commandGiven'; readonly command: Command}
  /** Letters typed while an input line is open. */
  | {readonly kind: 'textTyped'; readonly text: string}
  | {readonly kind: 'inputKey'; readonly key: 'Enter' | 'Esc' | 'Backspace' | 'ClearLine'}
  | {readonly kind: 'resized'; readonly columns: number; readonly rows: number}
  | {readonly kind: 'resumed'}
  | {readonly kind: 'refreshDue'; readonly generation: number}
  /** It is time to ask for a branch's window. */
  | {readonly kind: 'pollDue'; readonly branchId: string; readonly generation: number}
  | {readonly kind: 'branchesArrived'; readonly generation: number; readonly answer: Answer<readonly Branch[]>}
  | {readonly kind: 'branchesFailed'; readonly generation: number; readonly error: ApiError}
  | {
      readonly kind: 'windowArrived';
      readonly branchId: string;
      readonly generation: number;
      readonly answer: Answer<LogAnswer>;
    }
  | {readonly kind: 'windowFailed'; readonly branchId: string; readonly generation: number; readonly error: ApiError}
  | {readonly kind: 'noticed'; readonly notice: string};

/** The clocks and the chance that go with every event; only the store reads them. */
export type Moment = {
  /** Milliseconds by a monotonic clock. */
  readonly nowMs: number;
  /** Milliseconds since 1970 by the user's clock. */
  readonly wallMs: number;
  /** 0 to 1. */
  readonly random: number;
  /** `exp` of the token that is in use, milliseconds since 1970. */
  readonly tokenExpiresAtMs: number | undefined;
};

export type Event = Happening & {readonly moment: Moment};
