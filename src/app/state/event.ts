import type {Answer} from '../../api/answer.ts';
import type {ApiError} from '../../api/api-error.ts';
import type {Branch} from '../../api/decode/branch.ts';
import type {LogAnswer} from '../../api/decode/log-window.ts';
import type {Chunk} from '../../log/buffer/chunk.ts';
import type {Spans} from '../../log/pattern/matcher.ts';
import type {Command} from '../keys/keymap.ts';
import type {LogMemory} from '../parts/log-memory.ts';
import type {MouseAction} from '../parts/mouse-action.ts';
import type {CountedSummary} from '../parts/summariser.ts';
import type {SaveOutcome} from './exporter.ts';

/** What has happened, as far as the state is concerned. */
export type Happening =
  | {readonly kind: 'started'}
  | {readonly kind: 'commandGiven'; readonly command: Command}
  /** Letters typed while an input line is open. */
  | {readonly kind: 'textTyped'; readonly text: string}
  | {
      readonly kind: 'inputKey';
      readonly key: 'Enter' | 'Esc' | 'Backspace' | 'DeleteWord' | 'ClearLine' | 'Up' | 'Down';
    }
  | {readonly kind: 'mouseUsed'; readonly action: MouseAction}
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
  /** How the log was looked at last time; undefined where nothing is known of it. */
  | {readonly kind: 'logRecalled'; readonly generation: number; readonly memory: LogMemory | undefined}
  /** The secret that is revealed is to be a mask again: its time is over, or the screen is about to be left. */
  | {readonly kind: 'secretDue'}
  | {readonly kind: 'noticed'; readonly notice: string}
  /** How much of a file is saved, 0 to 1, and what became of it. */
  | {readonly kind: 'saveProgressed'; readonly share: number}
  | {readonly kind: 'saveEnded'; readonly outcome: SaveOutcome}
  /** What came of looking for a pattern. */
  | {
      readonly kind: 'patternMatched';
      readonly patternId: number;
      readonly results: readonly (readonly [chunk: Chunk, offsets: Uint16Array])[];
    }
  | {
      readonly kind: 'spansFound';
      readonly patternId: number;
      readonly texts: readonly string[];
      readonly spansOfTexts: readonly Spans[];
    }
  /** The filters go on, where they could not get to all lines at once. */
  | {readonly kind: 'filterDue'; readonly generation: number}
  /** So much of a summary is counted by now. */
  | ({readonly kind: 'summaryCounted'} & CountedSummary)
  | {readonly kind: 'patternSlow'; readonly patternId: number}
  | {readonly kind: 'patternFailed'; readonly patternId: number; readonly sentence: string};

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
