import {expect, test} from 'vitest';
import {parseWindowHeader} from '#api/client/log-headers-read.ts';

const arrivals = {series: 'a-1', last: 120, dropped: 20};

test.each([
  ['branch', {cut: 'branch'}],
  ['pod', {cut: 'pod'}],
  ['source', {cut: 'source'}],
  [' pod ', {cut: 'pod'}],
  ['pod; series=a-1; last=120; dropped=20', {cut: 'pod', arrivals}],
  ['pod; series=a-1; last=120; dropped=20; unread=7', {cut: 'pod', arrivals: {...arrivals, unread: 7}}],
  ['pod;dropped=20;series=a-1;last=120', {cut: 'pod', arrivals}],
  ['pod ;\tlast=120 ; dropped=20;  series=a-1 ', {cut: 'pod', arrivals}],
  ['source; sources=1', {cut: 'source', sources: 1}],
  ['source; sources=100', {cut: 'source', sources: 100}],
  ['source; sources=4; series=a-1; last=120; dropped=20', {cut: 'source', sources: 4, arrivals}],
  ['branch; colour=red; later-word=9', {cut: 'branch'}],
  ['branch; series=a-1; colour=red; last=120; dropped=20', {cut: 'branch', arrivals}],
  ['branch; series=Zz09._-; last=0; dropped=0', {cut: 'branch', arrivals: {series: 'Zz09._-', last: 0, dropped: 0}}],
  [
    `source; series=${'x'.repeat(64)}; last=9007199254740991; dropped=9007199254740991`,
    {
      cut: 'source',
      arrivals: {series: 'x'.repeat(64), last: Number.MAX_SAFE_INTEGER, dropped: Number.MAX_SAFE_INTEGER},
    },
  ],
])('%j is read', (header, said) => {
  expect(parseWindowHeader(header)).toEqual(said);
});

test.each([
  ['nothing', ''],
  ['another word', 'container'],
  ['another case', 'Pod'],
  ['two words', 'pod branch'],
  ['what a proxy makes of two headers', 'pod, pod'],
  ['an empty parameter', 'pod;'],
  ['a parameter without a value', 'pod; series'],
  ['a quoted value', 'pod; series="a"; last=1; dropped=0'],
  ['a blank within', 'pod; series=a b; last=1; dropped=0'],
  ['a parameter twice', 'pod; series=a; series=b; last=1; dropped=0'],
  ['an unknown parameter twice', 'pod; x=1; x=1'],
  ['a part of the count', 'pod; series=a; last=1'],
  ['a series alone', 'pod; series=a'],
  ['an empty series', 'pod; series=; last=1; dropped=0'],
  ['a series that is too long', `pod; series=${'x'.repeat(65)}; last=1; dropped=0`],
  ['a series of other letters', 'pod; series=é; last=1; dropped=0'],
  ['a control character', 'pod; series=a\x1b[2J; last=1; dropped=0'],
  ['a number below zero', 'pod; series=a; last=1; dropped=-1'],
  ['a fraction', 'pod; series=a; last=1.5; dropped=0'],
  ['an exponent', 'pod; series=a; last=1e3; dropped=0'],
  ['a leading zero', 'pod; series=a; last=01; dropped=0'],
  ['no number', 'pod; series=a; last=; dropped=0'],
  ['a number that is not exact', 'pod; series=a; last=9007199254740993; dropped=0'],
  ['more dropped than arrived', 'pod; series=a; last=1; dropped=2'],
  ['no source', 'source; sources=0'],
  ['more sources than any pod has', 'source; sources=101'],
  ['sources that are no number', 'source; sources=many'],
  ['sources without a number', 'source; sources='],
  ['a fraction of sources', 'source; sources=2.5'],
  ['a header that is too long', `pod; x=${'y'.repeat(260)}`],
])('%s counts as no header at all', (_, header) => {
  expect(parseWindowHeader(header)).toBeUndefined();
});

test('a header that was not sent, or came as a list', () => {
  expect(parseWindowHeader(undefined)).toBeUndefined();
  expect(parseWindowHeader(['pod'])).toBeUndefined();
});

test('a header of 256 characters is read, and a longer one is not', () => {
  const ofLength = (length: number): string => {
    const begin = 'pod; more=';
    return begin + 'x'.repeat(length - begin.length);
  };
  expect(parseWindowHeader(ofLength(256))).toMatchObject({cut: 'pod'});
  expect(parseWindowHeader(ofLength(257))).toBeUndefined();
});

test.each(['series', 'last', 'dropped'])(
  'of what counts lines all is there, or it is no header: not without %s',
  left => {
    const all = {series: 'a', last: '9', dropped: '0'};
    const given = Object.entries(all)
      .filter(([name]) => name !== left)
      .map(([name, value]) => `; ${name}=${value}`);
    expect(parseWindowHeader(`pod${given.join('')}`)).toBeUndefined();
    expect(parseWindowHeader('pod; series=a; last=9; dropped=0')?.arrivals).toEqual({series: 'a', last: 9, dropped: 0});
    expect(parseWindowHeader('pod; unread=5')).toMatchObject({cut: 'pod', arrivals: undefined});
  },
);
