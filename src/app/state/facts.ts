import type {PollSums} from '#app/tail/polls.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Proof} from '#log/line/proof.ts';
import type {Level} from '#log/tokens/level-words.ts';
import type {SourcePick} from '#log/view/sources.ts';
import type {ContextLabel} from './state.ts';

/** What is known about a log besides its lines, at one moment. Contains no secrets; any text in it may be untrusted. */
export type Facts = {
  readonly context: ContextLabel;
  readonly site: {readonly id: string; readonly name: string | undefined};
  /** In the order of the log's sources. */
  readonly branches: readonly BranchFacts[];
  readonly filters: FilterFacts;
  /** The service's clock, milliseconds since 1970. */
  readonly savedAtMs: number;
};

export type BranchFacts = {
  readonly id: string;
  readonly name: string;
  /** The service held nothing older at the first poll. */
  readonly horizon: Instant | undefined;
  /** Since when nothing is known to be missing, and on what that rests, also in words; undefined before any line. */
  readonly held: {readonly since: Instant; readonly proof: Proof; readonly restsOn: string} | undefined;
  readonly gapCount: number;
  /** Lines evicted from the buffer to make room. */
  readonly evictedLines: number;
  /** Late lines older than anything still buffered; they were not stored. */
  readonly tooLateLines: number;
  readonly polls: PollSums;
};

export type FilterFacts = {
  /** As typed. */
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
  readonly minimumLevel: Level;
  /** Whose lines are shown or hidden; undefined for everybody's. */
  readonly sources?: SourcePick | undefined;
  /** Only lines of this time are shown, RFC 3339; undefined for all. */
  readonly range?: {readonly from?: string | undefined; readonly to?: string | undefined} | undefined;
  readonly contextLines: number;
  /** All lines were checked against the filters. If false, lines that match may be missing. */
  readonly isComplete: boolean;
};
