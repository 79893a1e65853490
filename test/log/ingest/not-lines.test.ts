import {describe, expect, test} from 'vitest';
import {compareNotLines, noNotLines} from '#log/ingest/branch-log.ts';

/** Whether items that are no lines are new, in answers one after the other; `·` stands for such an item. */
const newIn = (...answers: readonly string[]): readonly boolean[] => {
  let notLines = noNotLines;
  return answers.map(answer => {
    const lines: string[] = [];
    const places: number[] = [];
    for (const item of answer) {
      if (item === '·') {
        places.push(lines.length);
      } else {
        lines.push(item);
      }
    }
    const compared = compareNotLines(notLines, lines, places);
    ({notLines} = compared);
    return compared.newCount > 0;
  });
};

describe('an item that is no line', () => {
  test.each([
    {what: 'is new once', answers: ['ab', 'ab·c', 'b·cd'], expected: [false, true, false]},
    {what: 'is new in the first answer', answers: ['a·b', 'a·b'], expected: [true, false]},
    {what: 'is known at the front, whatever follows it', answers: ['·ab', '·bc'], expected: [true, false]},
    {
      what: 'is known by the line after which it stands',
      answers: ['a·', 'a·b', 'a·bc'],
      expected: [true, false, false],
    },
    {what: 'is known by the line that follows it', answers: ['a·b', '·b', '·bc'], expected: [true, false, false]},
    {what: 'was the last and is the first', answers: ['a·', '·b'], expected: [true, false]},
    {what: 'is new at the front where none was the last', answers: ['a·b', '·cd'], expected: [true, true]},
    {what: 'is new beside another', answers: ['a·b', 'a·bc·d'], expected: [true, true]},
    {what: 'is new right beside another', answers: ['a·b', 'a··b'], expected: [true, true]},
    {what: 'is new after answers without any', answers: ['a·b', 'ab', 'a·b'], expected: [true, false, true]},
    {what: 'is all there is', answers: ['·', '·', 'a·'], expected: [true, false, true]},
    {what: 'is one of several in a row', answers: ['a··b', 'a··b', '·b'], expected: [true, false, false]},
  ])('$what', ({answers, expected}) => {
    expect(newIn(...answers)).toEqual(expected);
  });
});
