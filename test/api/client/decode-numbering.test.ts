import {describe, expect, test} from 'vitest';
import {decodeLog} from '#api/client/decode-log.ts';
import {parseInstant} from '#log/line/instant.ts';

const lines = ['2026-11-21T14:00:01Z a', '2026-11-21T14:00:02Z b', '2026-11-21T14:00:03Z c'];
const good = {
  series: 's1',
  first: 7,
  runs: [
    [0, 2],
    [1, 1],
  ],
  sources: [{pod: 'web-1', container: 'nginx'}, {pod: 'web-2'}],
  losses: [{source: 1, number: 9, after: '2026-11-21T14:00:01Z', why: 'rotated'}],
};
const decode = (branchlog: unknown, data: readonly unknown[] = lines) =>
  decodeLog({podNamesList: [], data, events: [], branchlog});

test('the numbers and sources of the lines, and the losses', () => {
  expect(decode(good)).toMatchObject({
    skipped: [],
    value: {
      numbering: {
        ...good,
        losses: [{source: 1, number: 9, after: parseInstant('2026-11-21T14:00:01Z'), why: 'rotated'}],
      },
    },
  });
});

test('pods that cannot be read, with their cause; a note if that is malformed', () => {
  const unreadable = {pods: 2, of: 4, why: 'No right.'};
  expect(decode({...good, unreadable})).toMatchObject({skipped: [], value: {unreadable}});
  const blind = {...unreadable, pods: 0, isBlind: true};
  expect(decode({...good, unreadable: blind})).toMatchObject({skipped: [], value: {unreadable: blind}});
  expect(decode({...good, unreadable: {...unreadable, of: -1}})).toMatchObject({
    skipped: ['branchlog.unreadable: expected an object with pods and of'],
    value: expect.not.objectContaining({unreadable: expect.anything()}),
  });
});

test('an answer without the field has no numbers, and nothing is said of it', () => {
  expect(decode(undefined)).toEqual({value: expect.not.objectContaining({numbering: expect.anything()}), skipped: []});
});

describe('what cannot tell the number of each line counts as no numbers, with a word', () => {
  test.each([
    ['no object', 7, 'branchlog: expected an object, got a number'],
    ['no series', {...good, series: ''}, 'branchlog.series'],
    ['a series without end', {...good, series: 'x'.repeat(129)}, 'branchlog.series'],
    ['no first', {...good, first: undefined}, 'branchlog.first'],
    ['a first below 0', {...good, first: -1}, 'branchlog.first'],
    ['a broken first', {...good, first: 1.5}, 'branchlog.first'],
    ['a first that no number can hold', {...good, first: 2 ** 60}, 'branchlog.first'],
    ['fewer numbers than lines', {...good, numbers: [[7, 2]]}, 'branchlog.numbers'],
    ['numbers that are none', {...good, numbers: [['7', 3]]}, 'branchlog.numbers'],
    [
      'a number twice',
      {
        ...good,
        numbers: [
          [7, 2],
          [8, 1],
        ],
      },
      'branchlog.numbers: a number is given twice',
    ],
  ])('%s', (_, field, note) => {
    const {value, skipped} = decode(field);
    expect(value.numbering).toBeUndefined();
    expect(value.lines).toEqual(lines);
    expect(skipped).toEqual([expect.stringContaining(note)]);
  });
});

describe('what is malformed of sources and losses is left out, with a word, and the numbers stay', () => {
  test.each([
    ['runs for fewer lines', {...good, runs: [[0, 2]]}, {runs: []}],
    ['runs for more lines', {...good, runs: [[0, 4]]}, {runs: []}],
    ['runs of a source that there is not', {...good, runs: [[2, 3]]}, {runs: []}],
    ['sources that are no list', {...good, sources: 'web'}, {sources: [], runs: []}],
    ['a source that is no object', {...good, sources: ['web', {pod: 'web-2'}]}, {sources: [{}, {pod: 'web-2'}]}],
    ['a name that is no text', {...good, sources: [{pod: 7}, {}]}, {sources: [{}, {}]}],
    ['losses that are no list', {...good, losses: {}}, {losses: []}],
    ['a loss without a number', {...good, losses: [{why: 'x'}]}, {losses: []}],
  ])('%s', (_, field, expected) => {
    const {value, skipped} = decode(field);
    expect(value.numbering).toMatchObject({series: 's1', first: 7, ...expected});
    expect(skipped.length).toBeGreaterThan(0);
  });

  test('a loss of a source that there is not is one of any source', () => {
    const {value} = decode({...good, losses: [{number: 9, source: 5, before: 'soon', why: 7}]});
    expect(value.numbering?.losses).toEqual([{number: 9, why: ''}]);
  });
});

test('an item that is no line keeps its number, which then has no line', () => {
  const {value} = decode(good, [lines[0], null, lines[2]]);
  expect(value).toMatchObject({
    lines: [lines[0], lines[2]],
    notLines: [1],
    numbering: {
      numbers: [
        [7, 1],
        [9, 1],
      ],
      runs: [
        [0, 1],
        [1, 1],
      ],
    },
  });
  expect(value.numbering?.losses.at(-1)).toEqual({number: 9, lines: 1, why: '', isNoLine: true});
});
