import type {LineBuffer} from '#log/buffer/buffer.ts';
import type {ChangeMarker, PodMarker} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Proof} from '#log/line/proof.ts';
import type {SourceName} from '#log/line/source-name.ts';
import type {ShapeTable} from '#log/traits/shape-table.ts';

/** What is known of one branch. */
export type IncidentSource = {
  readonly buffer: LineBuffer;
  readonly shapes: ShapeTable;
  readonly podNames: readonly string[];
  /** Nothing is known to be missing since then. */
  readonly wholeSince: Instant | undefined;
  /** On what that rests. */
  readonly proof: Proof;
  /** What its record tells, perhaps of a time before the log was opened. */
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
