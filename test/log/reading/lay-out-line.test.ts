import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseInstant} from '#log/line/instant.ts';
import {layOutLine} from '#log/reading/lay-out-line.ts';
import {Reading} from '#log/reading/reading.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {anyCharacter} from '../../support/any-character.ts';

const at = parseInstant('2026-11-21T14:02:11.500Z');

/** A row of a screen of some 140 columns, beside its time. */
const rowOf = (text: string, columns = 120): string | undefined =>
  layOutLine({reading: new Reading(text), at, columns})?.text;

const rows: readonly (readonly [received: string, row: string | undefined])[] = [
  // Combined, with nginx's request time, a user, a host before it, no bytes, no time
  [
    '198.51.100.51 - - [21/Nov/2026:14:02:11 +0000] "POST /checkout HTTP/1.1" 502 157 "https://shop.example/cart" "Mozilla/5.0 (X11; Linux)" 1.204',
    '502 POST /checkout                                         157 B  1.2 s  198.51.100.51    https://shop.example/cart  Mozilla/5.0 (X11; Linux)  HTTP/1.1',
  ],
  [
    '198.51.100.5 - bob [21/Nov/2026:15:02:11 +0100] "GET / HTTP/1.1" 200 2430 "-" "curl/8" rt=0.005 uct="0.001"',
    '200 GET  /                                                2.4 kB   5 ms  198.51.100.5     bob  curl/8  uct="0.001"  HTTP/1.1',
  ],
  [
    'shop.example:443 198.51.100.51 - - [21/Nov/2026:14:02:11 +0000] "DELETE /shop/ HTTP/2" 404 -',
    '404 DELETE /shop/                                                 198.51.100.51    shop.example:443  HTTP/2',
  ],
  [
    '10.2.0.3 - - "GET /cart HTTP/1.1" 200 1312',
    '200 GET  /cart                                            1.3 kB  10.2.0.3         HTTP/1.1',
  ],
  // A request that is none, as sent
  [
    '10.2.0.1 - - [21/Nov/2026:14:02:11 +0000] "\\x16\\x03\\"\\x01" 400 150 "-" "-"',
    '400      \\x16\\x03\\"\\x01                                    150 B  10.2.0.1       ',
  ],
  // A time of another moment stays, after everything
  [
    '10.2.0.1 - - [21/Nov/2026:14:02:08 +0000] "GET / HTTP/1.1" 200 1',
    '200 GET  /                                                   1 B  10.2.0.1         HTTP/1.1  21/Nov/2026:14:02:08 +0000',
  ],
  // PHP-FPM, uvicorn
  [
    '127.0.0.1 -  21/Nov/2026:14:02:11 +0000 "GET /index.php" 200',
    '200 GET  /index.php                                        127.0.0.1      ',
  ],
  [
    'INFO:     10.0.0.1:52312 - "GET / HTTP/1.1" 200 OK',
    '200 GET  /                                                 10.0.0.1:52312   OK  HTTP/1.1',
  ],
  // Django's server; gin, Fiber, morgan and HAProxy, which have no such quotes
  [
    '[21/Nov/2026 14:02:11] "GET /cart/ HTTP/1.1" 404 2145',
    '404 GET  /cart/                                           2.1 kB  HTTP/1.1',
  ],
  [
    '[GIN] 2026/11/21 - 14:02:11 | 502 |  1.204512084s |     203.0.113.9 | POST     "/checkout"',
    '502 POST /checkout                                         1.2 s  203.0.113.9    ',
  ],
  [
    '[GIN] 2026/11/21 - 14:02:11 | 200 |      12.042µs |             ::1 | GET      "/"',
    '200 GET  /                                                  0 ms  ::1            ',
  ],
  [
    '14:02:11 | 404 | 1.2ms | 203.0.113.9 | GET | /gone | -',
    '404 GET  /gone                                              1 ms  203.0.113.9    ',
  ],
  ['POST /checkout 502 1204.220 ms - 157', '502 POST /checkout                                         157 B  1.2 s'],
  ['GET /error/500 304 1.204 ms - -', '304 GET  /error/500                                         1 ms'],
  [
    '::1 - GET /gone HTTP/1.1 404 12 - 3.2 ms',
    '404 GET  /gone                                              12 B   3 ms  ::1              HTTP/1.1',
  ],
  [
    'Nov 21 14:02:11 lb1 haproxy[12]: 203.0.113.9:51234 [21/Nov/2026:14:02:11.123] fe~ be/srv1 0/0/1/-1/3001 504 194 - - sH-- 12/12/3/1/0 0/0 "GET /checkout HTTP/1.1"',
    '504 GET  /checkout                                         194 B  3.0 s  203.0.113.9:51…  fe~ be/srv1  0/0/1/-1  - - sH-- 12/12/3/1/0 0/0  HTTP/1.1  lb1 haproxy[12]',
  ],
  // Access logs in JSON: nginx, Caddy
  [
    '{"time_local":"21/Nov/2026:14:02:11 +0000","remote_addr":"10.2.0.1","request":"GET /a?b=1 HTTP/1.1","status":"502","body_bytes_sent":"157","request_time":"0.034","http_user_agent":"curl"}',
    '502 GET  /a?b=1                                            157 B  34 ms  10.2.0.1         http_user_agent=curl',
  ],
  [
    '{"level":"error","ts":1795269731.5,"msg":"handled request","request":{"remote_ip":"10.2.0.7","method":"GET","uri":"/cart","host":"shop"},"size":12,"status":502}',
    '502 GET  /cart                                              12 B  10.2.0.7         handled request  request.host=shop',
  ],
  // JSON: pino, zap, bunyan, ECS, Docker, Serilog
  ['{"level":30,"time":1795269731000,"pid":1,"hostname":"h","msg":"ready"}', 'ready  pid=1 hostname=h'],
  [
    '{"level":"error","caller":"a.go:1","msg":"it \\"failed\\"","error":"no route"}',
    'it "failed"  caller=a.go:1 error="no route"',
  ],
  ['{"name":"shop","level":60,"msg":"bye","time":"2026-11-21T14:02:11.123Z"}', 'bye  FATAL  name=shop'],
  ['{"log":{"level":"debug","logger":"a"},"message":"x"}', 'x  debug  log.logger=a'],
  ['{"log":"hello\\n","stream":"stdout","time":"2026-11-21T14:02:11.1Z"}', 'hello  stream=stdout'],
  ['{"@t":"2026-11-21T14:01:11Z","@m":"hello","@l":"Information"}', 'hello  @t=2026-11-21T14:01:11Z'],
  // Nested fields, lists, exact numbers, copies of a name, the order; nothing that decides more than the others
  [
    '{"req":{"id":12345678901234567890,"h":{"a":"b c"}},"z":1e400}',
    'req.id=12345678901234567890 req.h.a="b c" z=1e400',
  ],
  ['{"b":1,"a":2,"b":3}', 'b=1 a=2 b=3'],
  ['{"tags":["a",{"b":[1]}],"e":{},"x":"","n":null,"t":true}', 'tags=["a",{"b":[1]}] e={} x="" n=null t=true'],
  ['{"level":"green","msg":5,"time":3}', 'level=green msg=5 time=3'],
  ['{"msg":"","event":"login"}', 'login  msg=""'],
  ['{"msg":"\\u001b[31mred\\u202e J\\u00f6rg","a\\nb":"\\u0007"}', 'red� Jörg  a␊b=␇'],
  // Monolog in JSON
  [
    '{"message":"Order placed","context":{"order_id":7,"via":{"a":1}},"level":200,"level_name":"INFO","channel":"shop","datetime":"2026-11-21T14:02:11.031+00:00","extra":{"request_id":"a1"}}',
    'Order placed  order_id=7 via.a=1 channel=shop request_id=a1',
  ],
  // A record after a text
  ['stdout F {"message":"x","a":1}', 'stdout F x  a=1'],
  // Monolog, with its context, its extra, neither
  [
    '[2026-11-21T14:02:11.031+00:00] app.ERROR: Payment timed out {"order":26788,"after":"30000ms"} []',
    'Payment timed out  order=26788 after=30000ms  app',
  ],
  [
    '[2026-11-21T14:02:11+00:00] app.INFO: Order stored {"order":7} {"ip":"10.2.0.1"}',
    'Order stored  order=7 ip=10.2.0.1  app',
  ],
  ['[2026-11-21T14:02:11+00:00] app.CRITICAL: dead [] []', 'dead  app  CRITICAL'],
  // logfmt, Heroku's router
  ['time="2026-11-21T14:02:11Z" level=warning msg="took \\"long\\"" id=abc', 'took "long"  id=abc'],
  [
    'at=info method=GET path="/shop?q=1" host=shop.example client=10.7.0.2 status=503 bytes=0',
    '503 GET  /shop?q=1                                           0 B  10.7.0.2         at=info host=shop.example',
  ],
  // PHP and PHP-FPM
  [
    'NOTICE: PHP message: PHP Fatal error:  Uncaught Error: Call to a member function total() on null in /a.php:12',
    'PHP Fatal error  Uncaught Error: Call to a member function total() on null in /a.php:12',
  ],
  [
    '[21-Nov-2026 14:02:11 UTC] PHP Warning:  Undefined variable $a in /a.php on line 3',
    'PHP Warning  Undefined variable $a in /a.php on line 3',
  ],
  ['NOTICE: PHP message: cache warmed', 'cache warmed'],
  ['[21-Nov-2026 14:02:11] WARNING: [pool www] seems busy', '[pool www] seems busy'],
  // The error logs of nginx and Apache
  [
    '2026/11/21 14:02:11 [error] 31#31: *40112 upstream timed out (110: Operation timed out), client: 198.51.100.7, server: shop',
    'upstream timed out (110: Operation timed out)  client: 198.51.100.7, server: shop  31#31  *40112',
  ],
  [
    '2026/11/21 14:02:11 [alert] 1#1: worker process 7 exited on signal 9',
    'worker process 7 exited on signal 9  1#1  alert',
  ],
  [
    '[Sat Nov 21 14:02:11.100000 2026] [core:error] [pid 12:tid 34] [client 10.8.0.1:80] AH00126: Invalid URI',
    'AH00126: Invalid URI  client 10.8.0.1:80  core  pid 12:tid 34',
  ],
  // Python
  ['2026-11-21 14:02:11,031 - shop.cart - ERROR - no stock', 'no stock  shop.cart'],
  ['ERROR:shop.cart:no stock', 'no stock  shop.cart'],
  // Java: Spring Boot, Logback, Hadoop, Spark, HDFS, ZooKeeper
  [
    '2026-11-21T14:02:11.031Z  WARN 1 --- [nio-8080-exec-1] c.e.shop.Cart                  : no stock',
    'no stock  c.e.shop.Cart  nio-8080-exec-1  1',
  ],
  [
    '2026-11-21T14:02:11.031Z  INFO 1 --- [shop] [           main] c.e.Shop  : Started in 3 s',
    'Started in 3 s  c.e.Shop  main  1  shop',
  ],
  [
    '2026-11-21T14:02:11.031Z  INFO 1 --- [shop] [nio-8080-exec-1] [4bf92f3577b34da6-00f067aa0ba902b7] c.e.Shop  : paid',
    'paid  c.e.Shop  4bf92f3577b34da6-00f067aa0ba902b7  nio-8080-exec-1  1  shop',
  ],
  [
    '2026-11-21T14:02:11.031Z  INFO 1 --- [shop] [main] [                                 ] c.e.Shop  : Started',
    'Started  c.e.Shop  main  1  shop',
  ],
  [
    '2026-11-21T14:02:11.031Z  WARN [shop,4bf92f3577b34da6,00f067aa0ba902b7] 1 --- [nio-8080-exec-1] c.e.Shop  : slow',
    'slow  c.e.Shop  shop,4bf92f3577b34da6,00f067aa0ba902b7  nio-8080-exec-1  1',
  ],
  ['2026-11-21T14:02:11.031Z INFO  [shop,,] 1 --- [main] c.e.Shop : up', 'up  c.e.Shop  shop,,  main  1'],
  [
    'I, [2026-11-21T14:02:11.031000 #12]  INFO -- : [4bf92f35-77b3-4da6-a3ce-929d0e0e4736] Started GET "/x"',
    'Started GET "/x"  4bf92f35-77b3-4da6-a3ce-929d0e0e4736  12',
  ],
  ['14:02:11.031 [main] INFO  c.e.Shop - Started in 3 s', 'Started in 3 s  c.e.Shop  main'],
  ['2026-11-21 14:02:11,978 INFO [main] org.apache.hadoop.A: Created', 'Created  org.apache.hadoop.A  main'],
  ['26/11/21 14:02:11 INFO executor.Backend: Registered', 'Registered  executor.Backend'],
  ['261121 140211 148 WARN dfs.DataNode$X: no reply', 'no reply  dfs.DataNode$X  148'],
  [
    '2026-11-21 14:02:11,747 - WARN  [QuorumPeer[myid=1]/0:0:2181:Learner@774] - Notification time out',
    'Notification time out  QuorumPeer[myid=1]/0:0:2181:Learner@774',
  ],
  // OpenStack, Android, klog, syslog
  [
    '2026-11-21 14:02:11.008 2574 INFO nova.compute.manager [req-3810e57a - -] [instance: b9] Took 19 s',
    '[instance: b9] Took 19 s  nova.compute.manager  req-3810e57a - -  2574',
  ],
  ['11-21 14:02:11.811  1702  2395 W ActivityManager: slow', 'slow  ActivityManager  1702  2395'],
  ['E1121 14:02:11.031000       1 reflector.go:138] failed to list', 'failed to list  reflector.go:138  1'],
  ['Nov 21 14:02:11 web sshd[12]: Failed password for root', 'Failed password for root  sshd[12]  web'],
  // Machines and clusters, collected OpenStack logs, Windows, Chromium, Telegraf, Ruby
  [
    '- 1795269731 2026.11.21 R02-M1-N0 2026-11-21-14.02.11.675872 R02-M1-N0 RAS KERNEL FATAL data TLB error',
    'data TLB error  RAS KERNEL  R02-M1-N0  R02-M1-N0  FATAL',
  ],
  [
    '- 1795269731 2026.11.21 dn228 Nov 21 14:02:11 dn228/dn228 crond(pam_unix)[2915]: session closed',
    'session closed  crond(pam_unix)[2915]  dn228  dn228/dn228',
  ],
  [
    '134681 node-246 unix.hw state_change.unavailable 1795269731 1 Component State Change: alt0',
    'Component State Change: alt0  unix.hw  node-246  state_change.unavailable  134681  1',
  ],
  [
    'nova-api.log.1.2017-05-16_13:53:08 2026-11-21 14:02:11.008 25746 INFO nova.osapi [req-3 - -] 10.11.10.1 "GET /v2 HTTP/1.1" status: 200',
    '10.11.10.1 "GET /v2 HTTP/1.1" status: 200  nova.osapi  nova-api.log.1.2017-05-16_13:53:08  req-3 - -  25746',
  ],
  [
    '2026-11-21 14:02:11, Error                 CSI    (F) HRESULT_FROM_WIN32(14090)',
    '(F) HRESULT_FROM_WIN32(14090)  CSI',
  ],
  [
    '[12:34:1121/140211.031456:ERROR:gpu_init.cc(426)] Passthrough is not supported',
    'Passthrough is not supported  gpu_init.cc(426)  12:34',
  ],
  [
    '2026-11-21 14:02:11,031 werkzeug INFO [MainThread] 10.2.0.1 - - [21/Nov/2026 14:02:11] "GET / HTTP/1.1" 500 -',
    'werkzeug INFO [MainThread] 10.2.0.1 - - [21/Nov/2026 14:02:11] "GET / HTTP/1.1" 500 -',
  ],
  ['##[error]Process completed with exit code 1.', 'Process completed with exit code 1.'],
  ['src/cart.ts(3,5): error TS2322: no number', 'no number  TS2322  src/cart.ts(3,5)'],
  [
    '{"t":{"$date":"2026-11-21T14:02:11.031+00:00"},"s":"E","c":"NETWORK","msg":"Error accepting"}',
    'Error accepting  s=E c=NETWORK',
  ],
  ['2026-11-21T14:02:11Z E! [outputs.influxdb] no route', 'no route  outputs.influxdb'],
  ['E, [2026-11-21T14:02:11.123456 #12] ERROR -- shop: no stock', 'no stock  shop  12'],
  ['2026/11/21 14:02:11 WARN+1 slow', 'slow  +1'],
  ['11-21 14:02:11.811  root  1702  2395 D Zygote: ready', 'ready  Zygote  1702  2395  root  D'],
  // A time and a level, a time alone
  ['2026-11-21T14:02:11Z ERROR something broke', 'something broke'],
  ['[2026-11-21T14:02:11.100Z] warn  editor: limit is near', 'editor: limit is near'],
  ['2026-11-21T14:02:11Z something', 'something'],
];

test.each(rows)('%s', (received, row) => {
  expect(rowOf(received)).toBe(row);
});

test.each([
  'connection closed by peer',
  // A word of a sentence states no level; another time than the row's is not left out
  '2026-11-21 14:01:11 error in module a',
  '2026-11-21T14:01:11Z something',
  '03/04/2026 14:02:11 something',
  // What only looks like a request
  'he said "GET /a HTTP/1.1" 502 times',
  '10.2.0.7 said - [21/Nov/2026:14:02:11 +0000] "GET / HTTP/1.1" none 12',
  // No record
  '{}',
  '{"a":1',
  '{"a":01}',
  '{"a":1} and more',
  'key=value and words between a=1 b=2',
  'a=1 b=2',
  '#0 /srv/app/cart.php(12): total()',
  '    at com.acme.Cart.total(Cart.java:12)',
  'PHP Stack trace:',
  '',
])('is not certain, so it stays: %s', text => {
  expect(rowOf(text)).toBeUndefined();
});

test('without a time beside the row the time of the line stays', () => {
  const layOut = (text: string) => layOutLine({reading: new Reading(text), at: undefined, columns: 64})?.text;
  expect(layOut('2026-11-21T14:02:11Z ERROR something broke')).toBe('something broke  2026-11-21T14:02:11Z');
  expect(layOut('{"msg":"x","time":"2026-11-21T14:02:11Z"}')).toBe('x  time=2026-11-21T14:02:11Z');
  expect(layOut('2026-11-21T14:02:11Z something')).toBeUndefined();
});

const asked = (path: string, client = '10.2.0.7', method = 'GET') =>
  `${client} - - [21/Nov/2026:14:02:11 +0000] "${method} ${path} HTTP/1.1" 200 12 "https://shop.example/" "curl"`;

test('on a narrow screen the path has what there is, and the client, the referer and the agent have no room', () => {
  expect(rowOf(asked('/wp-json/till/v1/basket/items?cart=1'), 56)).toBe(
    '200 GET  /wp-json/till/v1/basket/items?cart=1       12 B',
  );
  expect(rowOf(asked(`/${'x'.repeat(60)}`), 56)).toBe('200 GET  /xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…   12 B');
  expect(rowOf('10.2.0.7 - - [21/Nov/2026:14:02:11 +0000] "GET /a HTTP/1.1" 200 41310', 36)).toBe(
    '200 GET  /a                    41 kB',
  );
});

test('a wider screen has the client, and the referer only where it has room for more than its site', () => {
  const path = `/${'x'.repeat(55)}`;
  expect(rowOf(asked(path), 97)).toBe(`200 GET  ${path.padEnd(64)}   12 B  10.2.0.7       `);
  expect(rowOf(asked(path), 112)).not.toContain('https://');
  expect(rowOf(asked(path), 113)).toBe(
    `200 GET  /${'x'.repeat(46)}…   12 B  10.2.0.7         https://shop.example/  curl  HTTP/1.1`,
  );
  const record = '{"status":200,"method":"GET","path":"/a","bytes":12,"id":"4bf92f"}';
  expect(rowOf(record, 95)).toBe(
    '200 GET  /a                                                                                12 B',
  );
  expect(rowOf(record, 96)).toBe('200 GET  /a                                                 12 B  id=4bf92f');
});

test('no column moves, whatever is in the others: long paths, methods, sizes and addresses', () => {
  const lines = [
    asked('/a'),
    asked(`/${'x'.repeat(60)}`),
    asked('/a', '10.2.0.7', 'OPTIONS'),
    asked(`/${'x'.repeat(60)}`, '10.2.0.7', 'OPTIONS'),
    asked('/a', '2001:db8:1234:5678:90ab:cdef:1234:5678'),
  ];
  expect(new Set(lines.map(line => rowOf(line, 56)?.length))).toEqual(new Set([56]));
  for (const columns of [90, 120, 200]) {
    expect(new Set(lines.map(line => rowOf(line, columns)?.indexOf('12 B'))).size).toBe(1);
    expect(new Set(lines.map(line => rowOf(line, columns)?.indexOf('https://'))).size).toBe(1);
  }
});

test('of a long record all that is not shown is counted', () => {
  const fields = (count: number, value: string) =>
    `{${Array.from({length: count}, (_, index) => `"k${index}":"${value}"`).join(',')}}`;
  expect(rowOf(fields(130, '1'))).toMatch(/ k99=1 … 30 more$/);
  const long = rowOf(fields(80, 'v'.repeat(190))) ?? '';
  expect(long).toMatch(new RegExp(`… ${80 - (long.match(/k\d+=/g) ?? []).length} more$`));
  expect(rowOf(`{"a":"${'v'.repeat(300)}","b":1}`)).toBe(`a=${'v'.repeat(199)}… b=1`);
});

test('of fields of one kind the first that holds such a value counts, of messages the one that ranks first', () => {
  expect(rowOf('{"time":"soon","ts":"2026-11-21T14:02:11.500Z","msg":"paid"}')).toBe('paid  time=soon');
  expect(rowOf('{"event":"order","msg":"paid"}')).toBe('paid  event=order');
  expect(rowOf('{"body":"order","event":"paid","log":"x"}')).toBe('paid  body=order log=x');
});

test('fields are quiet after what a line says, and loud where they are all that it says', () => {
  const loudIn = (text: string): string | undefined =>
    layOutLine({reading: new Reading(text), at, columns: 64})
      ?.pieces.filter(({isQuiet, end}) => !isQuiet && end > 0)
      .map(piece => piece.text)
      .join(' ');
  expect(loudIn('{"msg":"paid","order":17}')).toBe('paid');
  expect(loudIn('{"order":17,"shop":"b"}')).toBe('order 17 shop b');
  expect(loudIn('paid {"order":17}')).toBe('paid');
});

test('a name of a field is at its place in the line, without its quotes', () => {
  const text = '{"msg":"paid","req":{"order":17}}';
  const {pieces} = layOutLine({reading: new Reading(text), at, columns: 64}) ?? expect.fail();
  const {start = 0, end = 0} = pieces.find(piece => piece.text === 'req.order') ?? {};
  expect(text.slice(start, end)).toBe('order');
});

test('a row is safe, and a line of any kind never fails', () => {
  const word = fc.constantFrom(
    '"',
    '{',
    '}',
    '[',
    ']',
    ' - ',
    ' ',
    '=',
    'a',
    'GET /',
    '502',
    'ERROR',
    ':',
    '́',
    '\\',
    '{"a":"',
  );
  const lines = fc.oneof(
    fc.array(word, {maxLength: 40}).map(words => words.join('')),
    fc
      .tuple(fc.constantFrom(...rows.map(([text]) => text)), fc.nat(150), fc.string({unit: anyCharacter, maxLength: 5}))
      .map(([text, index, inside]) => `${text.slice(0, index)}${inside}${text.slice(index)}`),
  );
  fc.assert(
    fc.property(lines, text => {
      const received = sanitise(text);
      const laid = layOutLine({reading: new Reading(received), at, columns: 64});
      expect(sanitise(laid?.text ?? '')).toBe(laid?.text ?? '');
      expect(laid?.pieces.map(piece => piece.text).join('') ?? '').toBe(laid?.text ?? '');
    }),
    {numRuns: 300},
  );
});

test('of any access line the status is in front, and every word of it but its time is in the row', () => {
  const token = fc.stringMatching(/^[!#-[\]-~]{1,60}$/);
  const path = token.map(text => `/${text}`);
  const client = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain());
  const access = fc.record({
    client,
    user: fc.oneof(fc.constant('-'), fc.stringMatching(/^[a-z]{1,20}$/)),
    method: fc.constantFrom('GET', 'POST', 'OPTIONS'),
    path,
    status: fc.integer({min: 100, max: 599}),
    referer: fc.oneof(fc.constant('-'), token),
    agent: fc.stringMatching(/^[a-zA-Z(][ -!#-[\]-~]{0,100}$/),
  });
  fc.assert(
    fc.property(access, ({client, user, method, path, status, referer, agent}) => {
      const text = `${client} - ${user} [21/Nov/2026:14:02:11 +0000] "${method} ${path} HTTP/1.1" ${status} 12 "${referer}" "${agent}"`;
      const row = layOutLine({reading: new Reading(text), at, columns: 120, keepsWhole: true})?.text;
      expect(row?.slice(0, 3)).toBe(String(status));
      for (const word of [client, method, path, agent, ...[user, referer].filter(text => text !== '-')]) {
        expect(row).toContain(word);
      }
      expect(row).not.toContain('21/Nov');
    }),
    {numRuns: 300},
  );
});

test('a row that is wrapped keeps all of it', () => {
  const text = asked(`/products/${'x'.repeat(60)}`);
  const row = layOutLine({reading: new Reading(text), at, columns: 56, keepsWhole: true})?.text;
  expect(row).toContain(`/products/${'x'.repeat(60)}`);
  expect(row).toMatch(/12 B {2}10\.2\.0\.7 .*https:\/\/shop\.example\/ {2}curl {2}HTTP\/1\.1$/);
});
