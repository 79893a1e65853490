import {editBuffer} from '../buffer/buffer-edit.ts';
import type {Change} from '../line/entry.ts';
import type {Instant} from '../line/instant.ts';
import type {BranchLog} from './branch-log.ts';

/** Something that happened to the branch itself, told beside its log. */
export type BranchChange = {
  readonly change: Change;
  /** When it happened, where that is known. */
  readonly happenedAt: Instant | undefined;
};

/**
 * Puts a change of the branch into its log: at the time it happened where that lies within what is held, else behind the newest
 * line, since that is when it was noticed. In a log without lines it stands at its time, or where that is not known at `nowAt`, the service's clock.
 * It is an entry and no line; nothing that is being read moves.
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

/** Puts the horizon in, ahead of the oldest line that the service held: before it there is nothing to look for. */
export const insertHorizon = (log: BranchLog, horizon: Instant): BranchLog => {
  const edit = editBuffer(log.buffer);
  edit.insert({kind: 'horizon', id: edit.takeId(), at: horizon}, 0);
  return {...log, buffer: edit.finish()};
};
