import type {Answer, Branch, LogAnswer} from '#api/client/answer.ts';
import type {ApiError} from '#api/client/api-error.ts';
import type {SaveOutcome} from '#app/export/exporter.ts';
import type {Command, MouseAction} from '#app/keys/keymap.ts';
import type {CountedSummary} from '#app/parts/summariser.ts';
import type {ComparedBranch, FoundIncident, IncidentOrder} from '#app/tail/incident-reading.ts';
import type {ProbeAnswer} from '#app/tail/known-pulse.ts';
import type {Chunk} from '#log/buffer/chunk.ts';
import type {WindowTaken} from '#log/ingest/take-unnumbered.ts';
import type {Instant} from '#log/line/instant.ts';
import type {ScanProgress, UnreadFound} from '#log/line/unread.ts';
import type {LogMemory} from '#log/overview/log-memory.ts';
import type {Spans} from '#log/pattern/matcher.ts';
import type {ShapeTable} from '#log/traits/shape-table.ts';
import type {LogSource} from './state.ts';

/** A branch's log after a window. It is true only for this source. */
export type PreparedWindow = {
  readonly source: LogSource;
  readonly taken: WindowTaken;
  readonly shapes: ShapeTable;
};

/** Everything that can change the state. */
export type Event =
  | {readonly kind: 'started'}
  | {readonly kind: 'commandGiven'; readonly command: Command}
  /** A key that has no meaning on this screen. */
  | {readonly kind: 'keyUnused'; readonly key: string}
  /** Text typed while an input line is open. */
  | {readonly kind: 'textTyped'; readonly text: string}
  | {
      readonly kind: 'inputKey';
      readonly key: 'Enter' | 'Esc' | 'Backspace' | 'DeleteWord' | 'ClearLine' | 'Up' | 'Down';
    }
  | {readonly kind: 'mouseUsed'; readonly action: MouseAction}
  | {readonly kind: 'resized'; readonly columns: number; readonly rows: number}
  | {readonly kind: 'resumed'}
  /** A second has passed: words that tell a time may have to change. */
  | {readonly kind: 'ticked'}
  /** While signed out, a new token was found. */
  | {readonly kind: 'tokenChanged'}
  | {readonly kind: 'refreshDue'; readonly generation: number}
  /** It is time to poll a branch's window. */
  | {readonly kind: 'pollDue'; readonly branchId: string; readonly generation: number}
  | {readonly kind: 'branchesArrived'; readonly generation: number; readonly answer: Answer<readonly Branch[]>}
  | {readonly kind: 'branchesFailed'; readonly generation: number; readonly error: ApiError}
  | {
      readonly kind: 'windowArrived';
      readonly branchId: string;
      readonly generation: number;
      readonly answer: Answer<LogAnswer>;
      /** The log after it, if that was worked out before; see `createWindowPreparer`. */
      readonly prepared?: PreparedWindow | undefined;
    }
  | {readonly kind: 'windowFailed'; readonly branchId: string; readonly generation: number; readonly error: ApiError}
  /** The result of a search in the unread part. `at`: the time that was sought, if it was one. */
  | {
      readonly kind: 'unreadFound';
      readonly generation: number;
      readonly found: UnreadFound;
      readonly at?: Instant | undefined;
    }
  | {
      readonly kind: 'scanProgressed';
      readonly generation: number;
      readonly progress: ScanProgress;
    }
  /** How many reports of the guard nobody has looked at yet, by the name of the branch. */
  | {readonly kind: 'guardRead'; readonly generation: number; readonly told: ReadonlyMap<string, number>}
  /** It is time to look at the log of a branch that is listed. */
  | {readonly kind: 'probeDue'; readonly generation: number}
  | {
      readonly kind: 'probeArrived';
      readonly generation: number;
      readonly answer: ProbeAnswer;
    }
  | {readonly kind: 'probeFailed'; readonly branchId: string; readonly generation: number; readonly error: ApiError}
  /** The saved view settings of the log; undefined if there are none. */
  | {readonly kind: 'logRecalled'; readonly generation: number; readonly memory: LogMemory | undefined}
  /** Masks the revealed secret again: its time is up, or the screen is about to be left. */
  | {readonly kind: 'secretDue'}
  | {readonly kind: 'noticed'; readonly notice: string}
  /** The line to the terminal became slow, or quick again. */
  | {readonly kind: 'linePaced'; readonly isSlow: boolean}
  /** The ids of all sites that there are now, in their order; only from what can list them. */
  | {readonly kind: 'sitesChanged'; readonly ids: readonly string[]}
  /** The share of a file saved so far, 0 to 1, and the outcome. */
  | {readonly kind: 'saveProgressed'; readonly share: number}
  | {readonly kind: 'saveEnded'; readonly outcome: SaveOutcome}
  /** The result of a pattern search. */
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
  /** Filters continue with the lines that they could not process at once. */
  | {readonly kind: 'filterDue'; readonly generation: number}
  /** The incident was read. */
  | {
      readonly kind: 'incidentFound';
      readonly order: IncidentOrder;
      readonly incident: FoundIncident;
      /** With what it was compared; undefined if with nothing. */
      readonly compared: ComparedBranch | undefined;
      /** How long that took without pauses, milliseconds. */
      readonly tookMs: number;
    }
  /** The progress of a summary. */
  | ({readonly kind: 'summaryCounted'} & CountedSummary)
  | {readonly kind: 'patternSlow'; readonly patternId: number}
  | {readonly kind: 'patternFailed'; readonly patternId: number; readonly sentence: string};

/** The clock readings and random number of an event; only the store reads them. */
export type Moment = {
  /** Monotonic clock, milliseconds. */
  readonly nowMs: number;
  /** The user's clock, milliseconds since 1970. */
  readonly wallMs: number;
  /** 0 to 1. */
  readonly random: number;
  /** `exp` of the current token, milliseconds since 1970. */
  readonly tokenExpiresAtMs: number | undefined;
};

export type StampedEvent = Event & {readonly moment: Moment};
