import {expect, test} from 'vitest';
import {findValues} from '#log/reading/find-values.ts';
import {Reading} from '#log/reading/reading.ts';

const listed = (line: string): readonly string[] =>
  findValues(new Reading(line)).map(({name, text}) => `${name} ${text}`);

test.each<readonly [string, readonly string[]]>([
  [
    '10.2.0.7 - - [21/Nov/2026:14:00:00 +0000] "POST /cart?x=1 HTTP/1.1" 502 157 "https://shop.example.com/a?b=1."',
    [
      'status 502',
      'method POST',
      'path /cart?x=1',
      'client 10.2.0.7',
      'bytes 157',
      'time 21/Nov/2026:14:00:00 +0000',
      'url https://shop.example.com/a?b=1',
    ],
  ],
  [
    '2026/11/21 14:00:00 [error] 7#7: *12 upstream timed out, client: 10.2.0.7, server: shop.example.com, request: "GET /a HTTP/1.1", upstream: "http://10.0.0.9:9000/i.php"',
    [
      'method GET',
      'path /a',
      'client 10.2.0.7',
      'time 2026/11/21 14:00:00',
      'url http://10.0.0.9:9000/i.php',
      'host shop.example.com',
    ],
  ],
  ['PHP Fatal error: no total() in /var/www/shop/src/Cart.php:41', ['file /var/www/shop/src/Cart.php:41']],
  ['lost 2001:db8::1 and 10.0.0.9:9000, not v1.2.3 and/or 12:30', ['address 2001:db8::1', 'address 10.0.0.9']],
  ['{"msg":"no","peer":"db.example.org:5432"}', ['host db.example.org:5432']],
  ['nothing here', []],
])('%s', (line, values) => {
  expect(listed(line)).toEqual(values);
});

test('a line full of values costs little, and forty are enough', () => {
  const started = findValues(
    new Reading(Array.from({length: 900}, (_, index) => `/a/${index} 10.0.0.${index % 256}`).join(' ')),
  );
  expect(started.length).toBe(40);
  expect(
    findValues(new Reading(`${'/a'.repeat(2000)} ${'host=a.'.repeat(500)} ${':'.repeat(2000)}`)).length,
  ).toBeLessThan(5);
});

test.each<readonly [string, readonly string[]]>([
  [
    'level=info msg="order paid" order=26788 request_id=9f86d081884c7d659a2feaa0c55ad015 ok=true user="Ann B"',
    ['request_id 9f86d081884c7d659a2feaa0c55ad015', 'order 26788', 'user Ann B'],
  ],
  [
    '{"time":"2026-11-21T14:00:00Z","msg":"paid","trace":{"id":"89da70"},"order":26788,"peer":"10.0.0.9","ok":null}',
    ['time 2026-11-21T14:00:00Z', 'peer 10.0.0.9', 'id 89da70', 'order 26788'],
  ],
  ['[req 0f8fad5b-d9cd-469f-a165-70867728950e] no deadbeefdeadbeef', ['id 0f8fad5b-d9cd-469f-a165-70867728950e']],
  [
    '{"status":502,"method":"GET","path":"/a","duration_ms":31,"bytes_sent":157}',
    ['status 502', 'method GET', 'path /a', 'took 31', 'bytes 157'],
  ],
  ['java.lang.IllegalStateException: no cart', ['exception java.lang.IllegalStateException']],
])('fields by the names that the line gives them: %s', (line, values) => {
  expect(findValues(new Reading(line)).map(({label, text}) => `${label} ${text}`)).toEqual(values);
});
