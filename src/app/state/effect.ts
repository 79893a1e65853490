import type {PipeRequest, SaveRequest} from '#app/export/exporter.ts';
import type {UserCall} from '#app/parts/call-user.ts';
import type {SummaryOrder} from '#app/parts/summariser.ts';
import type {IncidentOrder} from '#app/tail/incident-reading.ts';
import type {Chunk} from '#log/buffer/chunk.ts';
import type {ReadDirection, UnreadWish} from '#log/line/unread.ts';
import type {LogKey, LogMemory} from '#log/overview/log-memory.ts';
import type {Pattern} from '#log/pattern/parse-pattern.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';

/**
 * Set for a request that the user asked for with a key, which may be held down: it does nothing while a request is in
 * progress, and waits until a second has passed since the last such request.
 */
type Pressed = {readonly isPressed?: boolean};

/** Side effects as data. Only `effect-runner.ts` carries them out. */
export type Effect =
  /** Requests the branches. Cancels any listing in progress and its timer. */
  | ({readonly kind: 'fetchBranches'; readonly siteId: string; readonly generation: number} & Pressed)
  /**
   * Requests a branch's window. Cancels that branch's request in progress and its timer; other branches are
   * unaffected.
   */
  | ({
      readonly kind: 'fetchWindow';
      readonly siteId: string;
      readonly branchId: string;
      readonly generation: number;
      /** The place reached in a numbered log: the answer need only hold what follows. */
      readonly after?: ReadUpTo | undefined;
    } & Pressed)
  /**
   * Requests one window of a branch, only to count its errors; with `wantsAll`, those of all branches, if the service
   * can count them. Cancels the probe in progress and its timer.
   */
  | {
      readonly kind: 'probeBranch';
      readonly siteId: string;
      readonly branchId: string;
      readonly wantsAll: boolean;
      readonly generation: number;
    }
  /**
   * Reads what the guard of a site reported about its branches since somebody looked, and remembers that the branches
   * in `looked` are being looked at now. The answer is `guardRead`.
   */
  | ({readonly kind: 'readGuard'; readonly looked: readonly string[]; readonly generation: number} & Omit<
      LogKey,
      'branchId'
    >)
  /** Dispatches `probeDue` after this delay. Replaces any earlier timer. */
  | {readonly kind: 'probeAfter'; readonly delayMs: number; readonly generation: number}
  /** Dispatches `refreshDue` after this delay. Replaces any earlier timer. */
  | {readonly kind: 'refreshAfter'; readonly delayMs: number; readonly generation: number}
  /** Dispatches `pollDue` for the branch after this delay. Replaces the branch's earlier timer. */
  | {readonly kind: 'pollAfter'; readonly branchId: string; readonly delayMs: number; readonly generation: number}
  /** Cancels all requests in progress and all timers: their answers are no longer wanted. */
  | {readonly kind: 'cancel'}
  /** Starts what searches, so that the next pattern need not wait. If it fails, that pattern does, too. */
  | {readonly kind: 'prepareSearch'}
  /** Searches these chunks for the pattern, in order. Replaces any earlier request for the same pattern. */
  | {
      readonly kind: 'match';
      readonly patternId: number;
      readonly pattern: Pattern;
      readonly chunks: readonly Chunk[];
    }
  /** Finds the match ranges of a pattern in the given texts. */
  | {
      readonly kind: 'findSpans';
      readonly patternId: number;
      readonly pattern: Pattern;
      readonly texts: readonly string[];
    }
  | {readonly kind: 'cancelPattern'; readonly patternId: number}
  /** Opens what was not read of a branch's log, around a place. The answer is `unreadFound`. */
  | {readonly kind: 'findUnread'; readonly branchId: string; readonly wish: UnreadWish; readonly generation: number}
  /**
   * Searches what was not read for the nearest match, and opens the lines around it. Replaces the search before. The
   * answers are `scanProgressed` and `unreadFound`.
   */
  | {
      readonly kind: 'scanUnread';
      readonly branchId: string;
      readonly pattern: Pattern;
      readonly direction: ReadDirection;
      readonly generation: number;
    }
  | {readonly kind: 'cancelScan'}
  /** Dispatches `filterDue` once pending key presses are handled. At most one is queued. */
  | {readonly kind: 'filterSoon'; readonly generation: number}
  /** Directs all further requests to the service of this context. */
  | {readonly kind: 'switchContext'; readonly name: string}
  /** Summarises part of a log. Replaces any summary in progress. */
  | {readonly kind: 'summarise'; readonly order: SummaryOrder}
  | {readonly kind: 'cancelSummary'}
  /** Reads an incident. The answers are `incidentFound`: after a first look, and the whole. Replaces the one before. */
  | {readonly kind: 'findIncident'; readonly order: IncidentOrder}
  | {readonly kind: 'rememberSite'; readonly siteId: string}
  /** Keeps filters by a name for the next time; forgets the name if there are none. */
  | {readonly kind: 'keepFilters'; readonly name: string; readonly filters: readonly string[]}
  /** Loads the saved view settings of a branch's log. The answer is `logRecalled`. */
  | {readonly kind: 'recallLog'; readonly key: LogKey; readonly generation: number}
  /** Saves the log's view settings after a delay. Replaces an earlier pending save of the same log. */
  | {readonly kind: 'rememberLog'; readonly key: LogKey; readonly memory: LogMemory}
  /** Dispatches `secretDue` after this delay. Replaces any earlier timer. */
  | {readonly kind: 'hideSecretAfter'; readonly delayMs: number}
  /**
   * Copies a text to the terminal's clipboard. `what` names it in the notice; `advice` says what to do if it is too
   * long.
   */
  | {
      readonly kind: 'copy';
      readonly text: string | Uint8Array;
      readonly what: string;
      readonly advice?: string | undefined;
    }
  /** Starts saving a file. Cancels any save in progress. */
  | {readonly kind: 'saveFile'; readonly request: SaveRequest}
  | {readonly kind: 'cancelSave'}
  /** Hands the terminal and part of the log to another program. */
  | {readonly kind: 'pipe'; readonly request: PipeRequest}
  /** Turns the terminal's reports of mouse wheel and clicks on or off. */
  | {readonly kind: 'setMouse'; readonly isOn: boolean}
  /** Rings the bell, shows a line's text as a desktop notification, or hands it to the user's command. */
  | ({readonly kind: 'callUser'} & UserCall)
  /** Changes to the next colour theme for as long as the program runs. */
  | {readonly kind: 'nextTheme'}
  | {readonly kind: 'repaint'}
  | {readonly kind: 'suspend'}
  | {readonly kind: 'exit'};
