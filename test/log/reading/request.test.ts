import {expect, test} from 'vitest';
import {Reading} from '#log/reading/reading.ts';

type Row = readonly [
  text: string,
  method: string | undefined,
  path: string | undefined,
  status: number | undefined,
  durationMs: number | undefined,
  bytes: number | undefined,
  client: string | undefined,
];

const at = '[21/Nov/2026:14:02:11 +0000]';
const haproxy = 'haproxy[12]: 203.0.113.9:51240 [21/Nov/2026:14:12:03.377] web~ shop/web2';

const rows: readonly Row[] = [
  // nginx with its request time after the browser, with names, and without
  [
    `10.2.0.7 - - ${at} "GET /cart?a=1 HTTP/1.1" 200 157 "-" "curl/8.5" 0.034`,
    'GET',
    '/cart?a=1',
    200,
    34,
    157,
    '10.2.0.7',
  ],
  [
    `10.2.0.7 - - ${at} "GET /cart HTTP/1.1" 200 157 "-" "x" rt=1.204 urt="1.203"`,
    'GET',
    '/cart',
    200,
    1204,
    157,
    '10.2.0.7',
  ],
  [
    `10.2.0.7 - - ${at} "GET /cart HTTP/1.1" 200 157 "-" "Mozilla 0.034 x"`,
    'GET',
    '/cart',
    200,
    undefined,
    157,
    '10.2.0.7',
  ],
  [`::1 - - ${at} "GET /cart HTTP/1.1" 304 -`, 'GET', '/cart', 304, undefined, undefined, '::1'],
  [`10.2.0.7 - - ${at} "-" 408 0 "-" "-"`, undefined, undefined, 408, undefined, 0, '10.2.0.7'],
  [
    `${haproxy} 0/0/1/12/13 200 5312 - - ---- 12/12/3/1/0 0/0 "GET / HTTP/1.1"`,
    'GET',
    '/',
    200,
    13,
    5312,
    '203.0.113.9',
  ],
  [
    `${haproxy} 0/0/1/-1/+30001 504 194 - - sH-- 12/12/3/1/+1 0/0 "POST /pay HTTP/1.1"`,
    'POST',
    '/pay',
    504,
    30_001,
    194,
    '203.0.113.9',
  ],
  [
    '[GIN] 2026/11/21 - 14:12:02 | 502 |  1.204512084s | 203.0.113.9 | POST     "/pay"',
    'POST',
    '/pay',
    502,
    1204.512_084,
    undefined,
    '203.0.113.9',
  ],
  ['[GIN] 2026/11/21 - 14:12:02 | 200 | 1m2.5s | ::1 | GET      "/pay"', 'GET', '/pay', 200, 62_500, undefined, '::1'],
  ['14:12:03 | 200 | 12µs | ::1 | GET | /x', 'GET', '/x', 200, 0.012, undefined, '::1'],
  ['POST /checkout 502 1204.220 ms - 157', 'POST', '/checkout', 502, 1204.22, 157, undefined],
  [
    'Completed 200 OK in 12ms (Views: 8.1ms | ActiveRecord: 1.2ms)',
    undefined,
    undefined,
    200,
    12,
    undefined,
    undefined,
  ],
  [
    'I, [2026-11-21T14:12:01.216512 #12]  INFO -- : Completed 500 Internal Server Error in 1204ms (x)',
    undefined,
    undefined,
    500,
    1204,
    undefined,
    undefined,
  ],
  [
    'at=info method=GET path="/gone" host=shop.example fwd="198.51.100.7" dyno=web.1 connect=0ms service=12ms status=404 bytes=5312 protocol=https',
    'GET',
    '/gone',
    404,
    12,
    5312,
    undefined,
  ],
  [
    'method=GET path=/cart format=html controller=CartController action=show status=200 duration=12.30 view=8.10',
    'GET',
    '/cart',
    200,
    12.3,
    undefined,
    undefined,
  ],
  // Caddy counts seconds, Envoy milliseconds, Traefik and slog nanoseconds
  [
    '{"level":"info","ts":1795270321.204,"msg":"handled request","request":{"remote_ip":"198.51.100.7","method":"GET","uri":"/p"},"bytes_read":0,"duration":0.012,"size":157,"status":200}',
    'GET',
    '/p',
    200,
    12,
    157,
    '198.51.100.7',
  ],
  [
    '{"level":"info","ts":1795270321.204,"msg":"handled request","request":{"method":"GET","uri":"/p"},"duration":9.5e-05,"status":200}',
    'GET',
    '/p',
    200,
    0.095,
    undefined,
    undefined,
  ],
  [
    '{"method":"GET","path":"/cart","response_code":504,"duration":15000,"bytes_sent":24}',
    'GET',
    '/cart',
    504,
    15_000,
    24,
    undefined,
  ],
  [
    '{"ClientHost":"198.51.100.7","DownstreamContentSize":157,"DownstreamStatus":200,"Duration":1204000,"RequestMethod":"GET","RequestPath":"/p"}',
    'GET',
    '/p',
    200,
    1.204,
    157,
    '198.51.100.7',
  ],
  [
    '{"time":"2026-11-21T14:12:02.123Z","level":"INFO","msg":"request","method":"GET","path":"/p","status":200,"duration":34000000}',
    'GET',
    '/p',
    200,
    34,
    undefined,
    undefined,
  ],
  [
    '{"time_local":"21/Nov/2026:14:12:01 +0000","remote_addr":"198.51.100.7","request":"GET /product/41 HTTP/1.1","status":"200","body_bytes_sent":"157","request_time":"0.012"}',
    'GET',
    '/product/41',
    200,
    12,
    157,
    '198.51.100.7',
  ],
  // pino-http, Google Cloud, ECS, Serilog, Kong, echo
  [
    '{"level":30,"req":{"method":"GET","url":"/p","remoteAddress":"::1"},"res":{"statusCode":200},"responseTime":7,"msg":"request completed"}',
    'GET',
    '/p',
    200,
    7,
    undefined,
    '::1',
  ],
  [
    '{"severity":"INFO","httpRequest":{"requestMethod":"GET","requestUrl":"/p","status":200,"latency":"0.123s"}}',
    'GET',
    '/p',
    200,
    123,
    undefined,
    undefined,
  ],
  [
    '{"http.request.method":"GET","url.path":"/p","http.response.status_code":200,"event.duration":1204000}',
    'GET',
    '/p',
    200,
    1.204,
    undefined,
    undefined,
  ],
  [
    '{"@t":"2026-11-21T14:12:02Z","@m":"HTTP GET /p","RequestMethod":"GET","RequestPath":"/p","StatusCode":200,"Elapsed":34.5}',
    'GET',
    '/p',
    200,
    34.5,
    undefined,
    undefined,
  ],
  [
    '{"method":"GET","uri":"/p","status":200,"latencies":{"request":34,"kong":2}}',
    'GET',
    '/p',
    200,
    34,
    undefined,
    undefined,
  ],
  [
    '{"remote_ip":"::1","method":"GET","uri":"/p","status":200,"latency":12345,"latency_human":"12.345µs","bytes_out":7}',
    'GET',
    '/p',
    200,
    0.012_345,
    7,
    '::1',
  ],
  [
    '{"service":"shop","method":"GET","path":"/p","status":200,"took_ms":8,"msg":"done"}',
    'GET',
    '/p',
    200,
    8,
    undefined,
    undefined,
  ],
  // A number without a unit: whole ones are milliseconds unless that is too long; fractions may be either
  ['{"method":"GET","path":"/p","status":200,"duration":100000}', 'GET', '/p', 200, 100_000, undefined, undefined],
  ['{"method":"GET","path":"/p","status":200,"duration":100001}', 'GET', '/p', 200, undefined, undefined, undefined],
  ['{"method":"GET","path":"/p","status":200,"duration":0.5}', 'GET', '/p', 200, undefined, undefined, undefined],
  [
    `10.2.0.7 - - ${at} "GET /cart HTTP/1.1" 502 157 "-" "curl" 12 "shop@docker" "http://10.1.1.1:80" 34ms`,
    'GET',
    '/cart',
    502,
    34,
    157,
    '10.2.0.7',
  ],
  [`127.0.0.1 - - ${at} "GET /cart HTTP/1.1" 500 157 0.0341`, 'GET', '/cart', 500, 34.1, 157, '127.0.0.1'],
  [
    '[2026-11-21T14:02:11.031Z] "GET /cart HTTP/1.1" 503 UF 0 91 1204 - "10.0.0.1" "curl/8.5" "id-1" "shop" "10.1.1.1:80"',
    'GET',
    '/cart',
    503,
    1204,
    91,
    undefined,
  ],
  [
    '2026-11-21 14:02:11 10.0.0.1 GET /cart - 443 - 203.0.113.9 Mozilla/5.0+(X11) - 500 0 0 1204',
    'GET',
    '/cart',
    500,
    1204,
    undefined,
    '203.0.113.9',
  ],
  [' GET /cart 500 in 34ms', 'GET', '/cart', 500, 34, undefined, undefined],
  ['14:02:11.031 request_id=Fx [info] Sent 500 in 12ms', undefined, undefined, 500, 12, undefined, undefined],
  // What an error line says of a request
  [
    '2026/11/21 14:02:11 [error] 1#1: *5 open() failed, client: 10.6.0.1, server: s, request: "GET /gone/1?a HTTP/1.1", host: "shop"',
    'GET',
    '/gone/1?a',
    undefined,
    undefined,
    undefined,
    '10.6.0.1',
  ],
];

test.each(rows)('the request of %s', (text, method, path, status, durationMs, bytes, client) => {
  expect(new Reading(text).request).toEqual({method, path, status, durationMs, bytes, client});
});

test.each([
  'a job took 12ms',
  '{"job":"invoice","status":503}',
  '{"msg":"x","duration":12}',
  'path=/var/lib/x opened',
  'GET the /users',
  '',
])('no request is in %s', text => {
  expect(new Reading(text).request).toBeUndefined();
});

const names = ['method', 'path', 'status', 'bytes', 'client', 'duration'] as const;

test('what is said of a request stands at its place', () => {
  for (const [text] of rows) {
    const reading = new Reading(text);
    const placed = names.map(name => {
      const place = reading.placeOf(name);
      return place && text.slice(place.start, place.end);
    });
    expect([text, ...placed]).toEqual([text, ...names.map(name => reading.said[name]?.text)]);
  }
});

test('a time counts among the first 40 pieces after a request', () => {
  const line = (others: number): string =>
    `10.2.0.7 - - ${at} "GET /cart HTTP/1.1" 200 157 "-"${' x'.repeat(others)} 0.034 y`;
  const durations = [line(38), line(39)].map(text => new Reading(text).request?.durationMs);
  expect(durations).toEqual([34, undefined]);
});
