import {expect, test} from 'vitest';
import {comparePods, followPods, noPodsWent} from '#log/ingest/pods.ts';

/** At which of the polls a pod's going may explain that lines left; each letter is a pod. */
const explains = (...lists: readonly string[]): readonly boolean[] => {
  const pods = (list: string) => [...list].map(name => ({name, createdAt: '1'}));
  let went = noPodsWent;
  return lists.slice(1).map((list, index) => {
    const last = lists[index] ?? '';
    went = followPods(went, comparePods(pods(last), pods(list)), last.length, list.length);
    return went.mayExplain;
  });
};

test.each([
  {what: 'at the poll at which it goes, and the next', lists: ['ab', 'a', 'a', 'a'], expected: [true, true, false]},
  {what: 'where no pod went', lists: ['ab', 'ab', 'abc'], expected: [false, false]},
  {what: 'where the list is empty', lists: ['ab', '', ''], expected: [false, false]},
  {what: 'where all are replaced once', lists: ['ab', 'cd', 'cd'], expected: [true, true]},
  {what: 'where all are replaced at each poll', lists: ['ab', 'cd', 'ef', 'gh'], expected: [true, false, false]},
  {
    what: 'where a deployment replaces one after the other, up to five in a row',
    lists: ['abcdefgh', 'bcdefgh', 'cdefgh', 'defgh', 'efgh', 'fgh', 'gh'],
    expected: [true, true, true, true, true, false],
  },
])('a pod that went explains lines that left $what', ({lists, expected}) => {
  expect(explains(...lists)).toEqual(expected);
});
