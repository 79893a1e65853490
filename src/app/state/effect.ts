import type {Chunk} from '../../log/buffer/chunk.ts';
import type {Pattern} from '../../log/pattern/parse-pattern.ts';
import type {LogKey, LogMemory} from '../parts/log-memory.ts';
import type {SummaryOrder} from '../parts/summariser.ts';
import type {PipeRequest, SaveRequest} from './exporter.ts';

/** Orders to the outside. They are data; `effect-runner.ts` is the one place that carries them out. */
export type Effect =
  /** Asks for the branches; ends a listing that is under way and its timer. */
  | {readonly kind: 'fetchBranches'; readonly siteId: string; readonly generation: number}
  /** Asks for a branch's window; ends that branch's request under way and its timer, and no other's. */
  | {readonly kind: 'fetchWindow'; readonly siteId: string; readonly branchId: string; readonly generation: number}
  /** Sends `refreshDue` after that time; a later one takes the place of an earlier one. */
  | {readonly kind: 'refreshAfter'; readonly delayMs: number; readonly generation: number}
  /** Sends `pollDue` for that branch after that time; a later one for the branch takes the place of an earlier one. */
  | {readonly kind: 'pollAfter'; readonly branchId: string; readonly delayMs: number; readonly generation: number}
  /** Ends all requests under way and all timers: their answers are no longer wanted. */
  | {readonly kind: 'cancel'}
  /** Has chunks looked through for a pattern, the first ones first; takes the place of what was wanted of it before. */
  | {
      readonly kind: 'match';
      readonly patternId: number;
      readonly pattern: Pattern;
      readonly chunks: readonly Chunk[];
    }
  /** Has it found out where a pattern stands in texts. */
  | {
      readonly kind: 'findSpans';
      readonly patternId: number;
      readonly pattern: Pattern;
      readonly texts: readonly string[];
    }
  | {readonly kind: 'cancelPattern'; readonly patternId: number}
  /** Sends `filterDue` when keys that were pressed have had their turn; one that is still to be sent stands for all. */
  | {readonly kind: 'filterSoon'; readonly generation: number}
  /** Has the next request, and all after it, go to the service of that context. */
  | {readonly kind: 'switchContext'; readonly name: string}
  /** Sums up part of a log; takes the place of what was being summed up before. */
  | {readonly kind: 'summarise'; readonly order: SummaryOrder}
  | {readonly kind: 'cancelSummary'}
  | {readonly kind: 'rememberSite'; readonly siteId: string}
  /** Asks how a branch's log was looked at last; the answer is `logRecalled`. */
  | {readonly kind: 'recallLog'; readonly key: LogKey; readonly generation: number}
  /** Has kept how it is looked at, in a while; a later one of the same log takes the place of an earlier one. */
  | {readonly kind: 'rememberLog'; readonly key: LogKey; readonly memory: LogMemory}
  /** Sends `secretDue` after that time; a later one takes the place of an earlier one. */
  | {readonly kind: 'hideSecretAfter'; readonly delayMs: number}
  /** Hands a text to the terminal's clipboard; `what` names it in the sentence that tells of it, and `advice` says what to do where it is too much. */
  | {
      readonly kind: 'copy';
      readonly text: string | Uint8Array;
      readonly what: string;
      readonly advice?: string | undefined;
    }
  /** Begins to save a file; ends one that is being saved. */
  | {readonly kind: 'saveFile'; readonly request: SaveRequest}
  | {readonly kind: 'cancelSave'}
  /** Gives the terminal and a part of the log to another program. */
  | {readonly kind: 'pipe'; readonly request: PipeRequest}
  /** Has the terminal report the wheel and presses, or no longer. */
  | {readonly kind: 'setMouse'; readonly isOn: boolean}
  /** Rings, or has the desktop show a line's text. */
  | {readonly kind: 'callUser'; readonly text: string}
  | {readonly kind: 'repaint'}
  | {readonly kind: 'suspend'}
  | {readonly kind: 'exit'};
