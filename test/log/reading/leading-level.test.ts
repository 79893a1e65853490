import {describe, expect, test} from 'vitest';
import {findLeadingLevel, levelOf} from '#log/reading/level.ts';
import {scanText} from '#log/reading/scan-text.ts';
import {isStatus, isValueOf, levelOfField, partOfName, rankOf} from '#log/reading/vocabulary.ts';
import {findAddressEnd, findTimeEnd, isDuration} from '#log/tokens/find-tokens.ts';

/** The level and the word that states it. */
const found = (text: string): readonly string[] => {
  const place = findLeadingLevel(text);
  return place === undefined ? [] : [place.level, text.slice(place.start, place.end)];
};

test.each([
  ['ERROR no disk', ['error', 'ERROR']],
  ['WARN: no disk', ['warn', 'WARN']],
  ['[WARN] no disk', ['warn', 'WARN']],
  ['[core:error] no disk', ['error', 'error']],
  ['|INFO| no disk', ['info', 'INFO']],
  ['[warn no disk', []],
  ['14:02:11 ERROR x', ['error', 'ERROR']],
  ['14:02:11 error: x', ['error', 'error']],
  ['error: x', ['error', 'error']],
  ['no error: x', []],
  ['main: error: x', ['error', 'error']],
  ['[main] error: x', ['error', 'error']],
  ['zone-Z error: x', ['error', 'error']],
  ['[2026-11-21T14:02:11] error x', ['error', 'error']],
  ['[main] error x', []],
  ['2026\terror\tx', ['error', 'error']],
  ['2026\terror x', []],
  ['2026 error\tx', []],
  ['14:02:11Z  error  x', ['error', 'error']],
  ['14:02:11Z  error x', []],
  ['main  error  x', []],
  ['a.b.ERROR x', []],
  ['a.b.ERROR: x', ['error', 'ERROR']],
  ['"ERROR" x', ['error', 'ERROR']],
  ['ERROR:root:x', ['error', 'ERROR']],
  ['ERRO[0001] x', ['error', 'ERRO']],
  ['ERROR+2 x', ['error', 'ERROR']],
  ['ERROR/Main] x', ['error', 'ERROR']],
  ['ERRORS x', []],
  ['Error x', []],
  ['an ERROR x', []],
  ['0 ERROR x', []],
  ['14:02 0 ERROR x', ['error', 'ERROR']],
  ['without ERROR x', []],
  ['[2026-11-21T14:02:11,031][WARN ][o.e.c] x', ['warn', 'WARN']],
  ['[2026-11-21T14:02:11,031][WORD ][o.e.c] x', []],
  ['[ERROR][2026-11-21 14:02:11] x', ['error', 'ERROR']],
  ['[core][2026-11-21 14:02:11] x', []],
  ['2026-11-21 14:02:11.031 [ERROR][66] felix/health.go 360: x', ['error', 'ERROR']],
  ['2026-11-21 14:02:11 [Warning][main] x', ['warn', 'Warning']],
  ['2026-11-21 14:02:11 [INFO][error:error] x', ['info', 'INFO']],
  ['2026-11-21 14:02:11 [app:errors:error] x', ['error', 'error']],
  ['ERROR|2026-11-21T14:02:11Z|x', ['error', 'ERROR']],
  ['2026-11-21 14:02:11 {ERROR} x', ['error', 'ERROR']],
  ['2026-11-21 14:02:11 *ERROR* x', ['error', 'ERROR']],
  ['2026/11/21 14:02:11 [E] x', ['error', 'E']],
  ['[2026-11-21 14:02:11.031][W][app.cpp:1] x', ['warn', 'W']],
  ['2026-11-21T14:02:11.031+0000 F STORAGE  [thread1] x', ['fatal', 'F']],
  ['2026-11-21T14:02:11Z E! [outputs.influxdb] x', ['error', 'E']],
  ['2026-11-21 14:02:11 | I | x', []],
  ['2026-11-21 14:02:11 I | x', ['info', 'I']],
  ['2026-11-21 14:02:11 I STORAGE is full', []],
  ['2026-11-21 14:02:11 [X] x', []],
  ['2026-11-21 14:02:11 E x', []],
  ['2026-11-20 09:00:01 1tDabc-0001AB-2C ** a@b.example R=dns T=smtp: refused', ['error', '**']],
  ['2026-11-20 09:00:01 [12] 1tDabc-00000000abc-0001 == a@b.example R=dns defer (-53): later', ['warn', '==']],
  ['2026-11-20 09:00:01 1tDabc-0001AB-2C => a@b.example R=dns T=smtp', []],
  ['2026-11-20 09:00:01 see ** here', []],
  ['2026-11-20T09:00:01Z - error - x', ['error', 'error']],
  ['2026-11-20 09:00:01,123 - Warn - x', ['warn', 'Warn']],
  ['2026-11-20 09:00:01 job - error - x', []],
  ['21 [E] x', []],
  ['7ERROR x', []],
  ['', []],
  ['   ', []],
])('the level of “%s” is stated: %j', (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test('a level is looked for in ten words', () => {
  const after = (count: number) => found(`${'w '.repeat(count)}[ERROR] x`);
  expect([after(9), after(10)]).toEqual([['error', 'ERROR'], []]);
});

test('a level is stated in the first 512 characters, or in 4,096 of a record', () => {
  const text = (length: number) => `${'w'.repeat(length - 5)} WARN`;
  expect([levelOf(text(512)), levelOf(text(513))]).toEqual(['warn', 'none']);
  const record = (length: number) => `{"pad":"${'p'.repeat(length)}","level":"error"}`;
  const head = '{"pad":"","level":"error'.length;
  expect([levelOf(record(4095 - head)), levelOf(record(4200))]).toEqual(['error', 'none']);
});

/** What a text mentions, as `part text`. */
const mentioned = (text: string, hasTimes?: boolean): readonly string[] =>
  scanText(text, hasTimes).parts.map(({part, start, end, source, isCertain}) =>
    [part, text.slice(start, end), source, ...(isCertain ? [] : ['perhaps'])].join(' '),
  );

describe('a text mentions', () => {
  test.each([
    ['status=503 x', ['status 503 status=']],
    ['path="/a b" x', ['path /a b path=']],
    ['path="/a', ['path /a path=']],
    ['status= x', []],
    ['colour=red x', []],
    ['"GET /cart HTTP/1.1" 200', ['method GET text', 'path /cart text']],
    ['GET /cart HTTP/1.1" 200', ['method GET text perhaps', 'path /cart text perhaps']],
    ['GET /cart', ['method GET text perhaps', 'path /cart text perhaps']],
    ['GET https://x/cart', ['method GET text perhaps', 'path https://x/cart text perhaps']],
    ['GET cart', []],
    [
      '10.1.1.1 "GET /v2 HTTP/1.1" status: 200',
      ['client 10.1.1.1 text', 'method GET text', 'path /v2 text', 'status 200 text'],
    ],
    ['web "GET /v2 HTTP/1.1"', ['method GET text', 'path /v2 text']],
    ['status: 200', ['status 200 text perhaps']],
    ['status: 200x', []],
    ['status: 600', []],
    ['client: 10.2.0.7, x', ['client 10.2.0.7 text']],
    ['[client 10.2.0.7:80] x', ['client 10.2.0.7 text']],
    ['client 10.2.0.7', ['client 10.2.0.7 text']],
    ['client 10.2.0.7/8', []],
    ['client: web', []],
    ['at 14:02:11 x', ['time 14:02:11 text']],
    ['at Nov 21 14:02:11 x', ['time Nov 21 14:02:11 text']],
    ['at 14 x', []],
  ])('%s: %j', (text, parts) => {
    expect(mentioned(text)).toEqual(parts);
  });

  test('times only where they are wanted', () => {
    expect(mentioned('at 14:02:11 status=503', false)).toEqual(['status 503 status=']);
  });

  test('a record, where it stops', () => {
    expect(scanText('a=1 {"b":2} c=3')).toMatchObject({keys: [{start: 0, end: 1}], recordStart: 4});
    expect(scanText('a {b} c=3')).toMatchObject({keys: [{start: 6, end: 7}], recordStart: undefined});
  });

  test('two hundred pieces', () => {
    const keys = (count: number) => scanText(Array.from({length: count}, () => 'a=1').join(' ')).keys.length;
    expect([keys(200), keys(201)]).toEqual([200, 200]);
  });
});

test.each([
  ['10.1.2.3', 8],
  ['10.1.2.3:80', 8],
  ['10.1.2.3.4', -1],
  ['10.1.2.3ab', -1],
  ['10.1.2', -1],
  ['1234.1.2.3', -1],
  ['fe80::1', 7],
  ['::1', 3],
  ['::', -1],
  ['::ffff:10.1.2.3', 15],
  ['2001:db8:1:2:3:4:5:6', 20],
  ['a:b:c', -1],
  ['12:30:59', -1],
  ['fe80::1g', -1],
])('the address in %s ends at %d', (text, end) => {
  expect(findAddressEnd(text, 0)).toBe(end);
});

test.each([
  ['2026-11-21T14:02:11.031Z', false, 24],
  ['2026-11-21', false, 10],
  ['2026-11-21x', false, -1],
  ['21/Nov/2026:14:02:11 +0000]', false, 26],
  ['1/11/2026 14:02:11', false, 18],
  ['17/06/09 20:10:40', false, 17],
  ['03-17 16:13:38.811', false, 18],
  ['14:02:11.031', false, 12],
  ['14:02', false, -1],
  ['20171223-22:15:29:606', false, 21],
  ['081109 203615 148', true, 13],
  ['081109 203615 148', false, -1],
  ['1770000000.123', true, 14],
  ['1770000000123', true, 13],
  ['1770000000123', false, -1],
  ['177000000', true, -1],
  ['Jun 14 15:16:01', false, 15],
  ['Sun Dec 04 04:47:44.123456 2005', false, 31],
  ['Sat, 21 Nov 2026 14:02:11 GMT', false, 29],
  ['Jux 14 15:16:01', false, -1],
  ['jun 14 15:16:01', false, 15],
  ['words', false, -1],
])('the time in %s (leading: %s) ends at %d', (text, isLeading, end) => {
  expect(findTimeEnd(text, 0, isLeading)).toBe(end);
});

describe('the vocabulary', () => {
  test('knows names however they are written', () => {
    const names = [
      'status',
      'http.status_code',
      'httpStatusCode',
      'HTTP-Status-Code',
      'PRIORITY',
      'priority',
      'colour',
    ];
    expect(names.map(partOfName)).toEqual(['status', 'status', 'status', 'status', 'level', undefined, undefined]);
  });

  test('and none of more than 32 characters', () => {
    expect(partOfName('http.response.status_code')).toBe('status');
    expect(partOfName('exception.exception.stacktrace.xx')).toBeUndefined();
    expect(partOfName(`${'x'.repeat(27)}Status`)).toBeUndefined();
  });

  test('ranks names of messages and times', () => {
    expect(rankOf('message', 'message')).toBeLessThan(rankOf('message', 'MSG'));
    expect(rankOf('time', 'colour')).toBe(-1);
  });

  test.each([
    ['status', '200', true],
    ['status', '099', false],
    ['status', '600', false],
    ['status', '2000', false],
    ['bytes', '123456789012345', true],
    ['bytes', '1234567890123456', false],
    ['bytes', '-1', false],
    ['client', 'x'.repeat(64), true],
    ['client', 'x'.repeat(65), false],
    ['millis', '12.5', true],
    ['millis', 'soon', false],
    ['message', '', true],
  ] as const)('a %s may be %s: %s', (part, value, expected) => {
    expect(isValueOf(part, value)).toBe(expected);
  });

  test('reads levels as words and numbers', () => {
    expect([levelOfField('level', 'warn'), levelOfField('level', '50'), levelOfField('level', '1000')]).toEqual([
      'warn',
      'error',
      undefined,
    ]);
    expect([isStatus('404'), isStatus('40'), isDuration('12ms'), isDuration('x')]).toEqual([true, false, true, false]);
  });
});
