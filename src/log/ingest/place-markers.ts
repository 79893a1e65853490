import {firstIndexWhere} from '#log/buffer/buffer.ts';
import type {BufferEdit} from '#log/buffer/buffer-edit.ts';
import type {Entry, GapMarker, LineEntry} from '#log/line/entry.ts';
import {earliestOf, type Instant} from '#log/line/instant.ts';
import type {Proof} from '#log/line/proof.ts';
import {type Added, insertAdded} from './added.ts';
import type {BranchLog} from './branch-log.ts';
import type {WindowVerdict} from './completeness.ts';
import type {PodChanges} from './pods.ts';

/** Markers before they get an id. */
type NewMarker = Exclude<Entry, LineEntry> extends infer M ? (M extends {id: number} ? Omit<M, 'id'> : never) : never;

type MarkersInput = {
  readonly verdict: WindowVerdict;
  readonly pods: PodChanges;
  /** No line of a pod that went away is missing. */
  readonly podsAreRead: boolean;
  readonly added: Added<LineEntry>;
  readonly newestHeld: Instant | undefined;
  readonly newLines: number;
  /** How many lines are missing, where numbers tell. */
  readonly missingLines: number | undefined;
  readonly lateness: Instant;
  /** The newest time of the lines that left. */
  readonly newestLeft: Instant | undefined;
  readonly proof: Proof;
};

/**
 * Inserts the markers of a window, after everything that was held and before everything newer; a gap that continues
 * replaces the standing one.
 */
export const placeMarkers = (
  edit: BufferEdit,
  log: BranchLog,
  {verdict, pods, podsAreRead, added, newestHeld, newLines, missingLines, lateness, newestLeft, proof}: MarkersInput,
): {readonly placed: Added; readonly gap: GapMarker | undefined} => {
  // `added` is ordered by time: late lines first, then those later than everything that was held.
  const newerIndex =
    newestHeld === undefined
      ? 0
      : firstIndexWhere(added.length, index => (added.at(index)?.at ?? newestHeld) > newestHeld);
  const newerAt = added.at(newerIndex)?.at;
  const boundary = newestHeld ?? newerAt ?? 0n;
  const markAt = newerAt ?? added.at(0)?.at ?? boundary;
  const grown = growGap(edit, log.standingGap, verdict, {newLines, missingLines, proof});
  // The clock of a pod that went away may have been behind.
  const since = newestHeld === undefined ? undefined : earliestOf([newestHeld - lateness, newestLeft]);
  const doubt = podsAreRead ? {since: undefined, isWhole: true} : {since};
  const markers: readonly NewMarker[] = [
    ...pods.gone.map(({name}): NewMarker => ({kind: 'pod', at: boundary, change: 'gone', name, ...doubt})),
    ...pods.appeared.map(
      ({name}): NewMarker => ({kind: 'pod', at: boundary, change: 'appeared', name, since: undefined}),
    ),
    ...(grown === undefined ? verdictMarkers(verdict, markAt, {newLines, missingLines, proof}) : []),
  ];
  const heldAtBoundary = edit.entriesAt(boundary).length - countAt(added, newerIndex, boundary);
  const placed = markers.map((marker, index): Entry => {
    const entry: Entry = {...marker, id: edit.takeId()};
    edit.insert(entry, marker.at === boundary ? heldAtBoundary + index : 0);
    return entry;
  });
  const all = grown === undefined ? placed : [...placed, grown];
  // Late lines also came after the gap. If everything is older than what was held, a clock went back.
  const markIndex = verdict.kind === 'gap' || (newerAt === undefined && verdict.kind === 'quiet') ? 0 : newerIndex;
  return {
    placed: insertAdded<Entry>(added, markIndex, all),
    gap: grown ?? placed.find(entry => entry.kind === 'gap'),
  };
};

/** Extends the standing gap if this verdict again brings no proof. Returns undefined if there is nothing to extend. */
const growGap = (
  edit: BufferEdit,
  standing: GapMarker | undefined,
  verdict: WindowVerdict,
  brought: Pick<GapMarker, 'newLines' | 'missingLines' | 'proof'>,
): GapMarker | undefined => {
  if (standing === undefined || verdict.kind !== 'gap') {
    return undefined;
  }
  const grown: GapMarker = {
    ...standing,
    after: verdict.after < standing.after ? verdict.after : standing.after,
    before: verdict.before > standing.before ? verdict.before : standing.before,
    reason: verdict.reason,
    ...brought,
    missingLines:
      standing.missingLines === undefined || brought.missingLines === undefined
        ? undefined
        : standing.missingLines + brought.missingLines,
    grows: true,
  };
  return edit.replace(grown) ? grown : undefined;
};

const verdictMarkers = (
  verdict: WindowVerdict,
  at: Instant,
  brought: Pick<GapMarker, 'newLines' | 'missingLines' | 'proof'>,
): readonly NewMarker[] => {
  switch (verdict.kind) {
    case 'whole':
      return [];
    case 'quiet':
      return [{kind: 'quiet', at, since: verdict.after}];
    case 'gap':
      return [{kind: 'gap', at, after: verdict.after, before: verdict.before, reason: verdict.reason, ...brought}];
    default:
      return verdict satisfies never;
  }
};

/** Counts the lines from an index on with exactly this time; `lines` is ordered by time. */
const countAt = (lines: Added, from: number, at: Instant): number =>
  firstIndexWhere(lines.length - from, index => (lines.at(from + index)?.at ?? at) > at) -
  firstIndexWhere(lines.length - from, index => (lines.at(from + index)?.at ?? at) >= at);
