import {createBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {emptyReadWindow} from '#log/window/window-line.ts';
import type {Work} from '#log/work.ts';
import type {BranchLog, KeptLog} from '../branch-log.ts';
import {nothingTaken, type WindowTaken} from '../take-unnumbered.ts';

/** Takes a log as it was held: nothing is merged, judged or marked again, and nothing counts as added. */
export function* takeKept(log: BranchLog, {blocks, facts}: KeptLog): Work<WindowTaken> {
  const edit = editBuffer(createBuffer(log.buffer.bytesMax));
  for (const block of blocks) {
    for (const entry of block) {
      edit.insert(entry);
    }
    yield;
  }
  const {evictedLines, evictedThrough, tooLateLines, nextId, ...known} = facts;
  const held = yield* edit.finishing();
  const buffer = {
    ...held,
    ...{tooLateLines, nextId},
    evictedLines: evictedLines + held.evictedLines,
    evictedThrough: held.evictedThrough ?? evictedThrough,
  };
  return nothingTaken({...log, ...known, buffer, before: emptyReadWindow}, 0);
}
