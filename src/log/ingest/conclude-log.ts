import {firstIndexWhere, timeAtIndex} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import type {Entry} from '#log/line/entry.ts';
import {latestOf} from '#log/line/instant.ts';
import {finishWork} from '#log/work.ts';
import type {BranchLog} from './branch-log.ts';

/**
 * Decides what waits for the next answer that has numbers, where no answer follows: what was guessed of those without
 * numbers stands. Returns the log with its marker, if there is one.
 */
export const concludeLog = (log: BranchLog): {readonly log: BranchLog; readonly added: readonly Entry[]} => {
  const {buffer, proof, numbered, unsettled} = log;
  const guess = numbered === undefined ? unsettled?.guess : numbered.guess;
  if (guess === undefined || guess.kind === 'whole') {
    return {log, added: []};
  }
  const {after, before} = guess;
  const edit = editBuffer(buffer);
  const newer = firstIndexWhere(buffer.entryCount, index => (timeAtIndex(buffer, index) ?? after) > after);
  const place = {id: edit.takeId(), at: timeAtIndex(buffer, newer) ?? before};
  const marker: Entry = guess.kind === 'gap' ? {...guess, ...place, proof} : {kind: 'quiet', since: after, ...place};
  edit.insert(marker, 0);
  return {
    log: {
      ...log,
      buffer: finishWork(edit.finishing()),
      numbered: numbered && {...numbered, guess: undefined},
      unsettled: undefined,
      wholeSince: latestOf([log.wholeSince, before]),
      gapCount: log.gapCount + (marker.kind === 'gap' ? 1 : 0),
    },
    added: [marker],
  };
};
