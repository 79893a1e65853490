import {expect, test} from 'vitest';
import type {Branch} from '#api/client/answer.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {listItems} from '#app/rows/read-entry.ts';
import {type BranchSnapshot, compareSnapshot, snapshotOf} from '#app/tail/branch-changes.ts';
import {give, sampleState, startAt} from '../support/play.ts';

const list = <Item>(size: number, itemOf: (index: number) => Item): readonly Item[] =>
  Array.from({length: size}, (_, index) => itemOf(index));

/** What is remembered of a branch after listings with these fields, one after the other. */
const newsAfter = (listings: readonly object[]): BranchSnapshot | undefined => {
  const [first, ...later]: readonly Branch[] = listings.flatMap(
    fields => decodeBranches([{_id: 'b', name: 'master', status: null, ...fields}]).value,
  );
  return first && later.reduce((snapshot, branch) => compareSnapshot(snapshot, branch).snapshot, snapshotOf(first));
};

/** The filter of the sites after so many characters were typed. */
const typed = (size: number): number => {
  const play = startAt(sampleState());
  give(play, 'openFilter');
  play.send({kind: 'textTyped', text: 'x'.repeat(size)});
  return play.state.sitePicker.filter.length;
};

// What is read at a bound, and one beyond it.
test.each<readonly [bound: string, read: (size: number) => unknown, at: number, within: unknown, beyond: unknown]>([
  ['items that are read aloud', size => listItems(list(size, String)).at(-1), 20, '20. 19', 'And 1 more item.'],
  [
    'activities of a branch that are remembered',
    size => newsAfter(list(size, index => ({lastActivity: {_id: `${index}`}})))?.activities.length,
    20,
    20,
    20,
  ],
  [
    'troubles of a branch that are remembered',
    size => newsAfter(list(size, index => ({troubles: [{reason: 'OOMKilled', pod: `${index}`}]})))?.troubles.length,
    200,
    200,
    200,
  ],
  ['text of a filter', typed, 200, 200, 200],
])('%s', (_, read, at, within, beyond) => {
  expect([read(at), read(at + 1)]).toEqual([within, beyond]);
});
