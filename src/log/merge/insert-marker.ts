import {editBuffer} from '#log/buffer/buffer-edit.ts';
import type {Change, Entry, HorizonMarker} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {HeldTo} from '#log/line/unread.ts';
import type {BranchLog} from '../ingest/branch-log.ts';

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
