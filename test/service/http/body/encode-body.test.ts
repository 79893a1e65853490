import {gunzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {chooseCoding, encodeBody} from '#service/http/body/encode-body.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['X-GZIP', 'gzip'],
  ['deflate, gzip;q=0.5', 'gzip'],
  ['*', 'gzip'],
  ['br', 'identity'],
  ['gzip;q=0', 'identity'],
  ['gzip; q=0, *', 'identity'],
  ['x-gzip;q=0, *', 'identity'],
  ['gzip;level=9;q=0.1', 'gzip'],
  ['*;q=0', 'identity'],
  ['gzip;q=odd', 'identity'],
])('the coding for accept-encoding %j is %s', (header, coding) => {
  expect(chooseCoding(header)).toBe(coding);
});

test('a body of more than a kilobyte is compressed for those who take that', async () => {
  const [short, long] = [Buffer.alloc(1024, 'a'), Buffer.alloc(1025, 'a')];
  expect(await encodeBody(short, 'gzip')).toEqual({body: short, coding: 'identity'});
  expect(await encodeBody(long, 'identity')).toEqual({body: long, coding: 'identity'});
  const {body, coding} = await encodeBody(long, 'gzip');
  expect([coding, gunzipSync(body), body.length < 100]).toEqual(['gzip', long, true]);
});
