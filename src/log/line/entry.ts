import type {Instant} from './instant.ts';
import type {Proof} from './proof.ts';
import type {HeldFrom, HeldTo} from './unread.ts';

/** Pods of a branch that run and whose lines a service cannot read now: how many of how many, and why the first. */
export type Unreadable = {
  readonly pods: number;
  readonly of: number;
  readonly why: string;
  /** Pods that have come by now would not be known either, for the same reason: `pods` may then be 0. */
  readonly isBlind?: true;
};

/**
 * Who wrote a line, as far as the service says: data, never parsed out of the line's text. What is not known is left
 * out. Within one log each source is one object, so that two are the same if and only if they are identical.
 */
export type SourceName = {
  readonly pod?: string | undefined;
  readonly container?: string | undefined;
  /** `stdout`, `stderr`, or a name of the service's own, such as that of a file. */
  readonly stream?: string | undefined;
};

/** A log line in the buffer. */
export type LineEntry = {
  readonly kind: 'line';
  /** Unique within its buffer, and larger than the id of every entry made earlier. */
  readonly id: number;
  /** Its timestamp; without a readable one, that of the previous line. */
  readonly at: Instant;
  /** The whole line as received: `<timestamp> <text>`. */
  readonly raw: string;
  /** Where the text begins in `raw`: after the first space, or 0 if the timestamp can't be read. */
  readonly textIndex: number;
  /** It arrived after newer lines. */
  readonly late: boolean;
  /**
   * Set only when it is handed out: it takes the place of a piece of it that was handed out before, because it was read
   * while it was being written.
   */
  readonly grown?: boolean;
  /** Who wrote it, where the service says so. */
  readonly source?: SourceName | undefined;
};

/** Why lines may be missing. */
export type GapReason =
  /** No line of the previous window proves that this one continues it: the service's window moved on. */
  | 'moved-on'
  /** More lines came at once than one source may hold, and the service does not say how it cuts its windows. */
  | 'unproven'
  /** The service cuts each pod or source on its own, and as many lines came as one of them may hold. */
  | 'share'
  /** The clock that stamps the lines went back. */
  | 'clock-back'
  /** Windows were empty in between. */
  | 'empty'
  /** The window spans less time than lines have been late. */
  | 'short-window'
  /** Lines left that no count could push out, and no pod went: a container restarted under its pod's name. */
  | 'source-gone'
  /** The service restarted its line numbers: nothing tells whether the answers join. */
  | 'renumbered'
  /** The service sent items of `data` that are no strings. */
  | 'not-lines'
  /** The service numbers its lines, and says itself that some of a source are missing. */
  | 'told'
  /** The service gives numbers to lines that it does not show, answer after answer. */
  | 'left-out'
  /** The service's numbers contradict each other, and are not believed any more. */
  | 'contradicted';

/** Lines may be missing from `after` to `before`, both ends included, since several lines may share one time. */
export type GapMarker = {
  readonly kind: 'gap';
  readonly id: number;
  readonly at: Instant;
  readonly after: Instant;
  readonly before: Instant;
  readonly reason?: GapReason | undefined;
  /** On what the judgement rests. */
  readonly proof?: Proof | undefined;
  /** The only source that may have lost lines, where the service says so. */
  readonly source?: SourceName | undefined;
  /** How many lines are missing, where numbers tell. */
  readonly missingLines?: number | undefined;
  /** The service's own words for why. Foreign text. */
  readonly why?: string | undefined;
  /** How many lines the window brought at once. */
  readonly newLines?: number | undefined;
  /**
   * A standing gap: consecutive polls without proof extend one marker. For consumers of single entries, this marker
   * replaces the last gap they received; the buffer has replaced it already.
   */
  readonly grows?: boolean | undefined;
};

/**
 * A pod appeared or went away. The last lines of a pod that went away may be missing, from `since` on, unless the
 * service's own count proves otherwise.
 */
export type PodMarker = {
  readonly kind: 'pod';
  readonly id: number;
  readonly at: Instant;
  readonly change: 'appeared' | 'gone';
  readonly name: string;
  readonly since: Instant | undefined;
  /** It went away, and the service's count proves that no line is missing. */
  readonly isWhole?: boolean | undefined;
  /** How it ended, if it is no pod but a stream that was read to its end: `ended with exit code 1`. */
  readonly ending?: string | undefined;
};

/** The window was empty in between, so what came and went is unknowable. `since` is the newest line before that. */
export type QuietMarker = {readonly kind: 'quiet'; readonly id: number; readonly at: Instant; readonly since: Instant};

/**
 * A change of the branch itself, from its record (interface specification, sections 2.1 and 2.3). All strings are
 * untrusted.
 */
export type Change =
  /** Its status; null: not built out. */
  | {readonly kind: 'status'; readonly before: string | null; readonly now: string | null}
  /** Its last activity: action, status and author, each if the record has it. */
  | {
      readonly kind: 'activity';
      readonly action: string | undefined;
      readonly status: string | undefined;
      readonly createdBy: string | undefined;
    }
  /** Something of it does not work, or ended badly: `pod web-1/php`, and why. */
  | {readonly kind: 'trouble'; readonly who: string; readonly reason: string};

/** The branch itself changed. `happenedAt` is when, if the record says so; `at` is its place in the log. */
export type ChangeMarker = {
  readonly kind: 'change';
  readonly id: number;
  readonly at: Instant;
  readonly happenedAt: Instant | undefined;
  readonly change: Change;
};

/**
 * The service held nothing older than this at the first request. `why`: there is more, or it is known that there is
 * not. `isEnd`: nothing newer than this was read, or the newest part of the log follows.
 */
export type HorizonMarker = {
  readonly kind: 'horizon';
  readonly id: number;
  readonly at: Instant;
  readonly why?: HeldFrom['why'] | HeldTo['why'] | undefined;
  readonly isEnd?: true | undefined;
};

/** An entry between lines that is not a line itself. */
export type Marker = GapMarker | PodMarker | QuietMarker | ChangeMarker | HorizonMarker;

export type Entry = LineEntry | Marker;

/** Returns the part of a line after its timestamp, as received. */
export const textOf = (line: LineEntry): string => line.raw.slice(line.textIndex);
