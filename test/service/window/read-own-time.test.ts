import {expect, test} from 'vitest';
import {formatInstant, parseInstant} from '#log/line/instant.ts';
import type {LocalMs} from '#log/tokens/written-time.ts';
import {readOwnTime} from '#service/window/read-own-time.ts';
import {sampleLines} from '../../log/log-samples.ts';

/** A machine two hours east of UTC. */
const localMs: LocalMs = (year, monthIndex, day, hour, minute, second) =>
  Date.UTC(year, monthIndex, day, hour - 2, minute, second);

const read = (line: string, now = '2026-11-22T12:00:00Z'): string | undefined => {
  const own = readOwnTime(line, {now: parseInstant(now) ?? 0n, localMs});
  return own === undefined ? undefined : formatInstant(own);
};

test.each([
  // nginx and Apache, access
  ['10.2.0.1 - - [22/Nov/2026:01:59:00 +0000] "GET / HTTP/1.1" 200 5 "-" "x"', '2026-11-22T01:59:00.000000000Z'],
  ['2001:db8::1 - bob [22/Nov/2026:01:59:00 -0530] "GET / HTTP/2" 200 5', '2026-11-22T07:29:00.000000000Z'],
  ['127.0.0.1 -  22/Nov/2026:01:59:00 +0000 "GET /index.php" 200', '2026-11-22T01:59:00.000000000Z'],
  ['83.149.9.216 - - [17/May/2015:10:05:03 +0000] "GET /p HTTP/1.1" 200 2', '2015-05-17T10:05:03.000000000Z'],
  // A zone by how far it is from another one
  ['2026-11-22 01:59:00.123 GMT+01:00 ERROR broken', '2026-11-22T00:59:00.123000000Z'],
  ['2026-11-22 01:59:00 GMT+0100 broken', '2026-11-22T00:59:00.000000000Z'],
  ['2026-11-22 01:59:00 UTC-1 broken', '2026-11-22T02:59:00.000000000Z'],
  ['2026-11-22 01:59:00 UTC-4711 is an order', '2026-11-22T01:59:00.000000000Z'],
  // A date without separators, and a field of Better Stack
  ['20261122 01:59:00 [ERROR] mysqld: broken', '2026-11-21T23:59:00.000000000Z'],
  ['{"dt":"2026-11-22T01:59:00.5Z","lvl":"error"}', '2026-11-22T01:59:00.500000000Z'],
  // nginx and Apache, errors
  ['2026/11/22 01:59:00 [error] 31#31: *5 open() failed', '2026-11-21T23:59:00.000000000Z'],
  ['2026/11/22 01:59:00.123456 listening', '2026-11-21T23:59:00.123456000Z'],
  ['[Sun Nov 22 01:59:00.123456 2026] [core:error] [pid 7] AH00126', '2026-11-21T23:59:00.123456000Z'],
  ['[Sun Dec 04 04:47:44 2005] [error] mod_jk child', '2005-12-04T02:47:44.000000000Z'],
  // PHP
  ['[22-Nov-2026 01:59:00 UTC] PHP Fatal error:  x in /a.php on line 3', '2026-11-22T01:59:00.000000000Z'],
  ['[22-Nov-2026 01:59:00 Europe/Berlin] PHP Warning:  x', '2026-11-22T00:59:00.000000000Z'],
  ['[22-Jul-2026 01:59:00 America/New_York] PHP Notice:  x', '2026-07-22T05:59:00.000000000Z'],
  ['[22-Nov-2026 01:59:00 +05:30] PHP Notice:  x', '2026-11-21T20:29:00.000000000Z'],
  ['[22-Nov-2026 01:59:00] NOTICE: ready to handle connections', '2026-11-21T23:59:00.000000000Z'],
  ['[22-Nov-2026 01:59:00.123456] WARNING: pid 7', '2026-11-21T23:59:00.123456000Z'],
  // ISO 8601 and RFC 3339
  ['2026-11-22T01:59:00.123456789Z started', '2026-11-22T01:59:00.123456789Z'],
  ['2026-11-22T01:59:00+01:00 started', '2026-11-22T00:59:00.000000000Z'],
  ['[2026-11-22T01:59:00.123456+00:00] app.INFO: Monolog', '2026-11-22T01:59:00.123456000Z'],
  ['2026-11-22 01:59:00,123 WARN [main] log4j', '2026-11-21T23:59:00.123000000Z'],
  ['2026-11-22 01:59:00.123 UTC [77] LOG:  Postgres', '2026-11-22T01:59:00.123000000Z'],
  ['2026-11-22 01:59:00.123 +00 [77] LOG:  Postgres', '2026-11-22T01:59:00.123000000Z'],
  ['2026-11-22 01:59:00 - a dash is no zone', '2026-11-21T23:59:00.000000000Z'],
  ['time="2026-11-22T01:59:00Z" level=info msg="x"', '2026-11-22T01:59:00.000000000Z'],
  ['level=info ts=2026-11-22T01:59:00.5Z caller=a.go', '2026-11-22T01:59:00.500000000Z'],
  ['nova.log 2017-05-16 00:00:00.100 2574 INFO nova', '2017-05-15T22:00:00.100000000Z'],
  ['\x1b[32m2026-11-22T01:59:00Z\x1b[0m INFO colours', '2026-11-22T01:59:00.000000000Z'],
  // apt
  ['Start-Date: 2026-11-22  01:59:00', '2026-11-21T23:59:00.000000000Z'],
  ['Log ended: 2026-11-22  01:59:00', '2026-11-21T23:59:00.000000000Z'],
  // syslog
  ['Nov 22 01:59:00 web sshd[7]: x', '2026-11-21T23:59:00.000000000Z'],
  ['Nov  2 01:59:00 web sshd[7]: x', '2026-11-01T23:59:00.000000000Z'],
  ['<34>Nov 22 01:59:00 web su: x', '2026-11-21T23:59:00.000000000Z'],
  ['Nov 23 13:00:00 web: a day ahead is a clock, not a year', '2026-11-23T11:00:00.000000000Z'],
  ['Nov 24 13:00:00 web: a year old', '2025-11-24T11:00:00.000000000Z'],
  ['Feb 29 01:00:00 web: the last leap year', '2024-02-28T23:00:00.000000000Z'],
  ['<165>1 2026-11-22T01:59:00.003Z web app - ID47 - x', '2026-11-22T01:59:00.003000000Z'],
  // What only the form of a line tells from other numbers
  ['1:M 22 Nov 2026 01:59:00.123 * Ready to accept connections', '2026-11-21T23:59:00.123000000Z'],
  ['I1122 01:59:00.123456       1 main.go:7] klog', '2026-11-21T23:59:00.123456000Z'],
  ['11-22 01:59:00.123  1702  2395 D WindowManager: Android', '2026-11-21T23:59:00.123000000Z'],
  ['20261122-01:59:00:606|Step_LSC|30002312|HealthApp', '2026-11-21T23:59:00.606000000Z'],
  ['1795312740: Error: Address already in use', '2026-11-22T01:59:00.000000000Z'],
  ['[4711:1:1122/015900.123456:ERROR:gpu_init.cc(426)] Chromium', '2026-11-21T23:59:00.123456000Z'],
  ['Nov 22, 2026 1:59:00 AM shop.A main', '2026-11-21T23:59:00.000000000Z'],
  [
    '10.2.0.1:50752 [22/Nov/2026:01:59:00.081] f b/s1 0/0/0/1/1 503 217 - - SC-- 1/1/0/0/0 0/0 "GET /a HTTP/1.1"',
    '2026-11-21T23:59:00.081000000Z',
  ],
  // JSON
  ['{"level":30,"time":1795312740123,"msg":"pino"}', '2026-11-22T01:59:00.123000000Z'],
  ['{"ts":1795312740.123456,"msg":"zap"}', '2026-11-22T01:59:00.123456000Z'],
  ['{"timestamp":1795312740123456,"msg":"us"}', '2026-11-22T01:59:00.123456000Z'],
  ['{"time":"1795312740","msg":"s"}', '2026-11-22T01:59:00.000000000Z'],
  ['{"@timestamp":"2026-11-22T01:59:00.123Z"}', '2026-11-22T01:59:00.123000000Z'],
  ['{"time_local":"22/Nov/2026:01:59:00 +0200","status":"502"}', '2026-11-21T23:59:00.000000000Z'],
  ['{"t":{"$date":"2026-11-22T01:59:00.123+00:00"},"s":"I","c":"NETWORK"}', '2026-11-22T01:59:00.123000000Z'],
  ['{"instant":{"epochSecond":1795312740,"nanoOfSecond":123000000},"level":"INFO"}', '2026-11-22T01:59:00.123000000Z'],
  ['{"timeMillis":1795312740123,"level":"INFO"}', '2026-11-22T01:59:00.123000000Z'],
  ['{"@t":"2026-11-22T01:59:00.123Z","@m":"Serilog"}', '2026-11-22T01:59:00.123000000Z'],
  ['{"Timestamp":"2026-11-22T01:59:00.123Z","Message":".NET"}', '2026-11-22T01:59:00.123000000Z'],
  ['{"date":"2020-01-01 00:00:00","time":"Sun, 22 Nov 2026 01:59:00 GMT"}', '2026-11-22T01:59:00.000000000Z'],
  ['level=info component=shop.cart.checkout.payment ts=1795312740.123 msg=x', '2026-11-22T01:59:00.123000000Z'],
  ['{"datetime":"2026-11-22 01:59:00"}', '2026-11-21T23:59:00.000000000Z'],
  ['{"time":"22/Nov/2026:01:59:00 +0000","request":"GET /"}', '2026-11-22T01:59:00.000000000Z'],
  ['{"log":"x\\n","stream":"stdout","time":"2026-11-22T01:59:00.1Z"}', '2026-11-22T01:59:00.100000000Z'],
  ['{"time":0.25,"ts":"2026-11-22T01:59:00Z"}', '2026-11-22T01:59:00.000000000Z'],
])('reads %s', (line, time) => {
  expect(read(line)).toBe(time);
});

test.each([
  'connection closed by peer',
  '  at Shop\\Cart->add() (cart.php:12)',
  '#3 {main}',
  '',
  'a line that is about an order, which was sent on 2026-11-20 12:00:00',
  '2026-11-22 is a day',
  '1795312740 rows were copied',
  '1234567890: the id of an order',
  '{"instant":{"epochSecond":1e300,"nanoOfSecond":-1}}',
  '12:00:00 WARN a time of day says no day',
  'took 12:00:00 to 1770000000',
  '2026-02-30T01:59:00Z no such day',
  '2026-11-22T24:59:00Z no such hour',
  '1970-01-01T00:00:00Z a device without a clock',
  '[22-Nov-2026 01:59:00 Mars/Base] nowhere',
  'Now 22 01:59:00 no such month',
  '081109 203610 148 INFO dfs.DataNode$PacketResponder: six digits may be anything',
  '{"time":12,"msg":"a duration"}',
  '{"time":"2026-11-22T01:5',
  '{"request":{"time":"2026-11-22T01:59:00Z"}}',
])('reads no time in %j', line => {
  expect(read(line)).toBeUndefined();
});

test('a year that begins in the east of the machine is known', () => {
  expect(read('Jan  1 01:30:00 web: x', '2026-12-31T23:40:00Z')).toBe('2026-12-31T23:30:00.000000000Z');
  expect(read('Dec 31 23:59:00 web: x', '2027-01-01T00:10:00Z')).toBe('2026-12-31T21:59:00.000000000Z');
});

test('reads milliseconds since 1970 before a level, and no such number further in', () => {
  expect(read('1795165201123 ERROR x')).toBe('2026-11-20T09:00:01.123000000Z');
  expect(read('ERROR 1795165201123 x')).toBeUndefined();
});

test('reads the lines of many programs, each the same way at every number', () => {
  const timed = sampleLines(40).map(line => read(line) !== undefined);
  const forms = timed.length / 40;
  expect(timed.slice(0, forms).filter(Boolean)).toHaveLength(16);
  expect(timed.every((isTimed, index) => isTimed === timed[index % forms])).toBe(true);
});
