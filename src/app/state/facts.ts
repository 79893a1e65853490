import type {Level} from '../../log/level/level.ts';
import type {Instant} from '../../log/line/instant.ts';
import type {PollSums} from '../tail/polls.ts';
import type {ContextLabel} from './state.ts';

/** What is known of a log beside its lines, as it stood at one moment. None of it is a secret; every word may be foreign text. */
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
  /** The service held nothing older when it was first asked. */
  readonly horizon: Instant | undefined;
  /** Since when nothing is missing. */
  readonly wholeSince: Instant | undefined;
  readonly gapCount: number;
  /** Lines that left the buffer to make room. */
  readonly evictedLines: number;
  /** Lines that came too late to be held. */
  readonly tooLateLines: number;
  readonly polls: PollSums;
};

export type FilterFacts = {
  /** As they were typed. */
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
  readonly minimumLevel: Level;
  readonly contextLines: number;
  /** Every line had been tried. Where not, lines that a filter would have kept may be missing. */
  readonly isComplete: boolean;
};
