import {firstIndexWhere} from '#log/buffer/buffer.ts';
import {type BufferEdit, editBuffer} from '#log/buffer/buffer-edit.ts';
import type {Change, Entry, GapMarker, HorizonMarker, LineEntry} from '#log/line/entry.ts';
import {earliestOf, type Instant} from '#log/line/instant.ts';
import type {Proof} from '#log/line/proof.ts';
import type {HeldTo} from '#log/line/unread.ts';
import {type Added, insertAdded} from './added.ts';
import type {BranchLog} from './branch-log.ts';
import type {WindowVerdict} from './completeness.ts';
import type {PodChanges} from './pods.ts';

/** An event of the branch itself, shown in its log. */
export type BranchChange = {
  readonly change: Change;
  /** When it happened, if known. */
  readonly happenedAt: Instant | undefined;
};

/**
 * Inserts a change of the branch into its log: at the time it happened if that lies within what is held, else after the
 * newest line, since that is when it was noticed. In a log without lines it goes at its time, or if that is unknown at
 * `nowAt`, the service's clock. It is an entry but not a line; nothing the user is reading moves.
 */
export const insertChange = (log: BranchLog, {change, happenedAt}: BranchChange, nowAt: Instant): BranchLog => {
  const {buffer} = log;
  const newest = buffer.newestLine?.at;
  const edit = editBuffer(buffer);
  const isWithin =
    happenedAt !== undefined &&
    (newest === undefined || happenedAt <= newest) &&
    happenedAt >= (buffer.chunks[0]?.firstAt ?? happenedAt);
  const at = isWithin ? happenedAt : (newest ?? nowAt);
  edit.insert({kind: 'change', id: edit.takeId(), at, happenedAt, change});
  return {...log, buffer: edit.finish()};
};

/**
 * Inserts the horizon before the oldest line that the service held: nothing older can be found. `before`: where it was,
 * if more has been read since.
 */
export const insertHorizon = (log: BranchLog, horizon: Instant, before?: Instant): BranchLog =>
  moveHorizon(log, before, {at: horizon, why: log.heldFrom?.why});

/** Inserts the end of a part of a log after the last line that was read. `before`: where it was. */
export const insertEnd = (log: BranchLog, {at, why}: HeldTo, before?: Instant): BranchLog =>
  moveHorizon(log, before, {at, why, isEnd: true});

const moveHorizon = (
  log: BranchLog,
  before: Instant | undefined,
  marker: Pick<HorizonMarker, 'at' | 'why' | 'isEnd'>,
): BranchLog => {
  const edit = editBuffer(log.buffer);
  const isSame = (entry: Entry): boolean => entry.kind === 'horizon' && entry.isEnd === marker.isEnd;
  const old = before === undefined ? undefined : edit.entriesAt(before).find(isSame);
  if (old !== undefined) {
    edit.remove(old);
  }
  edit.insert({kind: 'horizon', id: edit.takeId(), ...marker}, marker.isEnd ? undefined : 0);
  return {...log, buffer: edit.finish()};
};

/** Markers before they get an id. */
type NewMarker = Exclude<Entry, LineEntry> extends infer M ? (M extends {id: number} ? Omit<M, 'id'> : never) : never;

type MarkersInput = {
  readonly verdict: WindowVerdict;
  readonly pods: PodChanges;
  /** No line of a pod that went away is missing. */
  readonly podsAreRead: boolean;
  readonly added: Added<LineEntry>;
  /** All of them came after what was held, those of the newest time too. */
  readonly areNew: boolean;
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
  {
    verdict,
    pods,
    podsAreRead,
    added,
    areNew,
    newestHeld,
    newLines,
    missingLines,
    lateness,
    newestLeft,
    proof,
  }: MarkersInput,
): {readonly placed: Added; readonly gap: GapMarker | undefined} => {
  // `added` is ordered by time: late lines first, then those later than everything that was held.
  const newerIndex =
    newestHeld === undefined
      ? 0
      : firstIndexWhere(added.length, index => (added.at(index)?.at ?? newestHeld) > newestHeld - (areNew ? 1n : 0n));
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
