import type {IncidentFinding} from '#log/incident/incident-finding.ts';
import type {Instant} from '#log/line/instant.ts';
import type {SourcePick} from '#log/view/sources.ts';

/** A saved mark. Entry ids mean nothing in another run, so it identifies a line by time and a hash of the text. */
export type RememberedMark<Time = Instant> = {
  readonly at: Time;
  /**
   * Identifies the line among those of the same time: the first 16 hexadecimal digits of a hash of its text; undefined
   * for a mark on a marker, which only has its time.
   */
  readonly lineHash: string | undefined;
  /** The user's note, as typed; may be empty. */
  readonly note: string;
};

/** What is needed to know the lines of a finding that is watched. */
export type RememberedWatch<Time = Instant> = Pick<IncidentFinding, 'what' | 'of' | 'subject'> & {
  /** When it began. */
  readonly since: Time;
  readonly before?: number | undefined;
  readonly now?: number | undefined;
};

/**
 * The saved view settings of a branch's log. Words and numbers read from disk are checked where they are used. Of the
 * log itself, only times, names of sources and what is watched are saved. On disk, times are RFC 3339.
 */
export type LogMemory<Time = Instant> = {
  /** As typed, after `+` for lines to show and `-` for lines to hide. */
  readonly filters: readonly string[];
  /** Those of them that are switched off. */
  readonly filtersOff?: readonly string[];
  readonly contextLines: number;
  /** The name of a level; undefined shows all. */
  readonly minimumLevel: string | undefined;
  /** Undefined shows everybody's lines. */
  readonly sourcePick?: SourcePick | undefined;
  readonly wraps: boolean;
  /** The name of what the time column shows; undefined keeps the default. */
  readonly timeMode: string | undefined;
  /** How lines are shown; undefined as the settings say. */
  readonly rows: string | undefined;
  /** The fields shown as columns; undefined as the settings say. */
  readonly columns?: readonly string[] | undefined;
  /** Kinds of folded lines: `traces`, `repeats`; undefined for none. */
  readonly folds?: readonly string[] | undefined;
  /** As typed. */
  readonly highlights: readonly string[];
  readonly marks: readonly RememberedMark<Time>[];
  readonly watched?: RememberedWatch<Time> | undefined;
  /** The newest line that was held at the last key. */
  readonly lastSeenAt?: Time | undefined;
};

/** Identifies the log that a memory belongs to: the id of a branch means nothing to another service or site. */
export type LogKey = {readonly contextName: string; readonly siteId: string; readonly branchId: string};
