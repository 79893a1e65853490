import type {Branch} from '#api/client/answer.ts';
import type {HandedPlace} from '#api/recording/hand-over-client.ts';
import type {ContextLabel} from '#app/parts/frame.ts';
import type {Mark, SaveTarget, Scope} from '#app/parts/log-parts.ts';
import type {PollSums} from '#app/tail/polls.ts';
import type {Tail} from '#app/tail/tail.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import type {Asked, IncidentSource} from '#log/incident/verdict.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Proof} from '#log/line/proof.ts';
import type {LogMemory} from '#log/overview/log-memory.ts';
import type {Level} from '#log/tokens/level-words.ts';
import type {LogView} from '#log/view/log-view.ts';
import type {SourcePick} from '#log/view/sources.ts';

/** The facts about a log besides its lines, at one moment. Contains no secrets; any text in it may be untrusted. */
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

/** A request to save something to a file. */
export type SaveRequest = {
  /** The lines as received, an incident note about them, or a timeline of what happened in them. */
  readonly what: SaveTarget['what'];
  /** As typed. */
  readonly path: string;
  /** Replaces an existing file. */
  readonly replaces: boolean;
  readonly scope: Scope;
  readonly facts: Facts;
  /** The marked lines and the whole log around them; for a note. */
  readonly marks: readonly Mark[];
  readonly all: LogView;
  /** For a note: what is other than before, and whether a finding that is watched stopped, in words. */
  readonly incident?: IncidentReport | readonly IncidentSource[] | undefined;
  readonly watched?: string | undefined;
  /** For a timeline: what it is read from, a source each, and the time that is asked of. */
  readonly timeline?: {readonly sources: readonly IncidentSource[]; readonly asked: Asked} | undefined;
  /** Set if the file is to be a hand-over: the log as it is held, for somebody else to open. */
  readonly handOver?: HandOverRequest | undefined;
};

/** What a hand-over has besides what is asked of every file. */
export type HandOverRequest = {
  /** In the order of the log's sources. */
  readonly logs: readonly {readonly branch: Branch; readonly tail: Tail; readonly learnedUntil: Instant | undefined}[];
  readonly memory: LogMemory;
  readonly place: HandedPlace;
};

/** The outcome. Its sentences never contain a secret. */
export type SaveOutcome =
  | {readonly kind: 'saved'; readonly sentence: string}
  | {readonly kind: 'failed'; readonly sentence: string}
  /** The file already exists; nothing was changed. */
  | {readonly kind: 'exists'};

export type PipeRequest = {
  /** The user's pager, or a command for `/bin/sh -c`. */
  readonly to: {readonly kind: 'pager'} | {readonly kind: 'command'; readonly command: string};
  readonly scope: Scope;
};

/** Passes parts of a log to files and other programs. Failures are reported as a sentence; nothing rejects. */
export type Exporter = {
  /** Calls `progress` now and then with the share done, 0 to 1. If aborted, leaves no file behind. */
  save(request: SaveRequest, signal: AbortSignal, progress: (share: number) => void): Promise<SaveOutcome>;
  /** Gives the terminal to a program until it ends. Returns a sentence if there is something to report. */
  pipe(request: PipeRequest): Promise<string | undefined>;
};
