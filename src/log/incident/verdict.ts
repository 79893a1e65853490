import type {LineBuffer} from '#log/buffer/buffer.ts';
import {markersOf} from '#log/buffer/entry-list.ts';
import type {BranchLog, NotLines} from '#log/ingest/branch-log.ts';
import type {Pod} from '#log/ingest/pods.ts';
import type {ChangeMarker, PodMarker, SourceName} from '#log/line/entry.ts';
import {earliestOf, type Instant, parseInstant} from '#log/line/instant.ts';
import type {Proof} from '#log/line/proof.ts';
import type {ShapeTable} from '#log/traits/shape-table.ts';

/** The facts about one branch. */
export type IncidentSource = {
  readonly buffer: LineBuffer;
  readonly shapes: ShapeTable;
  readonly podNames: readonly string[];
  /** The word for its pods: those of opened files are files. */
  readonly part?: string | undefined;
  /** Nothing is known to be missing since then. */
  readonly wholeSince: Instant | undefined;
  /** On what that rests. */
  readonly proof: Proof;
  /** Changes told by its record, perhaps from before the log was opened. */
  readonly knownChanges: readonly (ChangeMarker | PodMarker)[];
  /** Older lines are there to be read. */
  readonly hasOlder?: boolean | undefined;
  /** Not every pod can be read now, why, and since when; undefined for as long as anything is known. */
  readonly unreadable?: {readonly why: string; readonly since?: Instant | undefined} | undefined;
  /** Since when the service did not answer; undefined if the last answer was one. */
  readonly failingSince?: Instant | undefined;
  /** From when on its answers had items that are no lines. */
  readonly notLinesFrom?: Instant | undefined;
  /** Who came to an end that is known, as a command or a file that nobody writes any more: it need not write on. */
  readonly hasEnded?: ((name: SourceName) => boolean) | undefined;
};

/** A part of time; `to` is never before `from`. */
export type TimeSpan = {readonly from: Instant; readonly to: Instant};

/** The question: whether something was wrong in a part of time. */
export type Asked = {
  /** From when on; undefined for as far back as lines are held. */
  readonly from?: Instant | undefined;
  /** Up to when; undefined for now. */
  readonly to?: Instant | undefined;
  /**
   * The current time by the service's clock; undefined if the log has come to its end (a recording, a file that nobody
   * writes any more): then the newest line is the end of what is asked.
   */
  readonly now?: Instant | undefined;
};

/**
 * Why a part of the time asked is not covered. `older`: from before what is held. `unread`: there are older lines,
 * which are not read yet. `gap`: lines may be missing. `loss`: the service says that lines are missing. `quiet`:
 * windows were empty in between. `silence`: who wrote steadily writes no more. `unreadable`: not every pod can be
 * read. `outage`: the service did not answer. `notLines`: it sent items that are no lines. `noLines`: there is none at
 * all.
 */
export type UncoveredReason =
  | 'older'
  | 'unread'
  | 'gap'
  | 'loss'
  | 'quiet'
  | 'silence'
  | 'unreadable'
  | 'outage'
  | 'notLines'
  | 'noLines';

/** A part of the time asked of which nobody can tell. */
export type Uncovered = TimeSpan & {
  readonly why: UncoveredReason;
  /** The index of the branch. */
  readonly source: number;
  /** The pod or container of which it is true; undefined for all. Foreign text. */
  readonly who?: string | undefined;
  /** The given reason, by a service for example. Foreign text. */
  readonly said?: string | undefined;
};

/** On what a verdict rests. */
export type Basis = {
  /** The time that is judged. */
  readonly asked: TimeSpan;
  /** The parts of it in which every source that was alive is held without a hole, ascending. */
  readonly covered: readonly TimeSpan[];
  /** The other parts, and why; the most telling first. Several may be of the same time. */
  readonly uncovered: readonly Uncovered[];
  /** The stretch before what is judged that it is compared with; undefined if none is held and covered. */
  readonly comparedWith: TimeSpan | undefined;
  readonly proof: Proof;
  readonly gapCount: number;
};

/**
 * `found`: something is wrong, or was within the time asked. `calm`: nothing was, all of it is covered, and it is no
 * other than a time before. `unknown`: nothing was found, but nobody can tell, and `why`. `tooShort`: too little time
 * has passed since the deployment that is asked about.
 */
export type Verdict =
  | {readonly kind: 'found'}
  | {readonly kind: 'calm'}
  | {readonly kind: 'unknown'; readonly why: Uncovered | {readonly why: 'noBaseline' | 'tooShort' | 'reading'}};

/** Returns what a log alone says about its branch. */
export const sourceOfLog = (
  {buffer, pods, wholeSince, proof, notLines}: BranchLog,
  shapes: ShapeTable,
): IncidentSource & {hasEnded(name: SourceName): boolean} => {
  const ended = endedStreams(buffer);
  return {
    buffer,
    shapes,
    podNames: pods.map(({name}) => name),
    wholeSince,
    proof,
    knownChanges: pods.flatMap(createdPod),
    notLinesFrom: firstNotLine(notLines),
    hasEnded: ({pod}) => pod !== undefined && ended.has(pod),
  };
};

/** Returns the names of the streams that were read to their end. */
const endedStreams = ({chunks}: LineBuffer): ReadonlySet<string> => {
  const ended = new Set<string>();
  for (const {marker} of chunks.flatMap(markersOf)) {
    if (marker.kind === 'pod') {
      if (marker.change === 'gone' && marker.ending !== undefined) {
        ended.add(marker.name);
      } else {
        ended.delete(marker.name);
      }
    }
  }
  return ended;
};

/** Returns the time of the line before the first item that is no line; before any line, if that is the first item. */
const firstNotLine = (items: NotLines): Instant | undefined =>
  earliestOf(items.map(({after}) => parseInstant(after?.slice(0, after.indexOf(' ')) ?? '') ?? 0n));

/** These markers are in no buffer. */
const noId = 0;

const createdPod = ({name, createdAt}: Pod): readonly PodMarker[] => {
  const at = parseInstant(createdAt ?? '');
  return at === undefined ? [] : [{kind: 'pod', id: noId, at, change: 'appeared', name, since: undefined}];
};
