import {expect, test} from 'vitest';
import {promptCharsMax} from '#base/bounds.ts';
import {decodeBranchState, storedMarksMax} from '#config/memory/branch-state.ts';

const nothing = {
  filters: [],
  filtersOff: [],
  contextLines: 0,
  minimumLevel: undefined,
  sourcePick: undefined,
  wraps: false,
  timeMode: undefined,
  rows: undefined,
  highlights: [],
  marks: [],
  lastSeenAt: undefined,
};

test('of an empty record everything is as at the start', () => {
  expect(decodeBranchState({})).toEqual(nothing);
});

test.each([
  [
    'lines of context are a number from 0 on, at most 9',
    'contextLines',
    [-1, 0, 1, 9, 10, 1.5, '3'],
    [0, 0, 1, 9, 9, 0, 0],
  ],
  ['only a true value wraps', 'wraps', [true, false, 1, 'true'], [true, false, false, false]],
  ['a level is a word', 'minimumLevel', ['', 'warn', 5], [undefined, 'warn', undefined]],
  [
    'the word of a mode has up to 30 characters',
    'timeMode',
    ['x'.repeat(30), 'x'.repeat(31)],
    ['x'.repeat(30), undefined],
  ],
  ['so has that of how rows are shown', 'rows', ['x'.repeat(30), 'x'.repeat(31)], ['x'.repeat(30), undefined]],
  ['a time has up to 40', 'lastSeenAt', ['x'.repeat(40), 'x'.repeat(41), 5], ['x'.repeat(40), undefined, undefined]],
  [
    'columns and folds may be unknown',
    'columns',
    [undefined, 'a', [], ['a', 5, '', 'b']],
    [undefined, undefined, [], ['a', 'b']],
  ],
  ['a list without order is none', 'folds', [{}, ['traces']], [undefined, ['traces']]],
] as const)('%s', (_, name, values, read) => {
  expect(values.map(value => decodeBranchState({[name]: value})[name])).toEqual(read);
});

test('a finding that is watched is read with what is known of it, and is none if that is not enough', () => {
  const good = {what: 'rise', of: 'kind', subject: 'order ‹n› failed', since: '2026-11-21T14:00:00Z'};
  const rates = {before: undefined, now: undefined};
  const given: readonly unknown[] = [
    ...[good, {...good, before: 1, now: 'x'}, {...good, subject: 'x'.repeat(promptCharsMax)}],
    ...[
      {...good, subject: 'x'.repeat(promptCharsMax + 1)},
      {...good, of: 'field'},
      {...good, what: 'changed'},
    ],
    ...[{...good, since: 5}, {...good, subject: ''}, null, 'rise'],
  ];
  expect(given.map(watched => decodeBranchState({watched}).watched)).toEqual([
    ...[
      {...good, ...rates},
      {...good, before: 1, now: undefined},
      {...good, ...rates, subject: 'x'.repeat(500)},
    ],
    ...[undefined, undefined, undefined, undefined, undefined, undefined, undefined],
  ]);
});

test.each(['filters', 'filtersOff', 'highlights'] as const)('of %s the first 50 are kept that one could type', name => {
  const readAll = (value: unknown): readonly string[] | undefined => decodeBranchState({[name]: value})[name];
  const long = 'x'.repeat(promptCharsMax);
  expect(readAll([long, `${long}x`, '', 7, null, '+a'])).toEqual([long, '+a']);
  expect(readAll('+a')).toEqual([]);
  const many = Array.from({length: 51}, (_, index) => `+${index}`);
  expect(readAll([5, ...many])).toEqual(many.slice(0, 50));
});

test('a pick of sources hides or shows only up to 500, of which what is no text is unknown', () => {
  const readPick = (sourcePick: unknown) => decodeBranchState({sourcePick}).sourcePick;
  expect(readPick({kind: 'hide', names: [{pod: 'web-1', container: 'php', stream: 'stderr'}, {pod: 5}]})).toEqual({
    kind: 'hide',
    names: [{pod: 'web-1', container: 'php', stream: 'stderr'}, {}],
  });
  expect(readPick({kind: 'only', names: [null, 'web-1', {pod: '', stream: 'stdout'}]})).toEqual({
    kind: 'only',
    names: [{stream: 'stdout'}],
  });
  expect([readPick({kind: 'show', names: []}), readPick({kind: 'only'}), readPick('only'), readPick(null)]).toEqual(
    Array.from({length: 4}, () => undefined),
  );
  const names = Array.from({length: 501}, (_, index) => ({pod: `web-${index}`}));
  expect(readPick({kind: 'only', names})?.names).toEqual(names.slice(0, 500));
});

test('a mark needs a time; a hash that is none is unknown, and a note that is none is empty', () => {
  const readMarks = (marks: unknown) => decodeBranchState({marks}).marks;
  const at = '2026-11-21T14:02:11Z';
  const lineHash = '0123456789abcdef';
  expect(readMarks([{at, lineHash, note: 'here'}])).toEqual([{at, lineHash, note: 'here'}]);
  expect(readMarks([{at, lineHash: lineHash.toUpperCase(), note: 5}, {at, lineHash: `${lineHash}0`}, {at}])).toEqual(
    Array.from({length: 3}, () => ({at, lineHash: undefined, note: ''})),
  );
  expect(readMarks([{lineHash, note: 'x'}, {at: '', note: 'x'}, {at: 5}, null, 'x'])).toEqual([]);
  expect(readMarks({at})).toEqual([]);
  const long = 'n'.repeat(promptCharsMax);
  expect(
    readMarks([
      {at, note: long},
      {at, note: `${long}n`},
    ]).map(({note}) => note),
  ).toEqual([long, '']);
});

test('of too many marks the last ones are kept', () => {
  const marks = Array.from({length: storedMarksMax + 1}, (_, index) => ({
    at: `2026-11-21T14:02:11.${1000 + index}Z`,
    lineHash: undefined,
    note: '',
  }));
  expect(decodeBranchState({marks}).marks).toEqual(marks.slice(1));
});
