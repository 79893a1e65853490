import {RE2JS} from 're2js';
import {expect, test} from 'vitest';
import {filterFor} from '#log/summary/filter-for.ts';
import {
  addTo,
  createSummary,
  finishSummary,
  type SummaryResult,
  type SummaryRow,
  type TableName,
} from '#log/summary/summary.ts';
import {readLineParts} from '#log/traits/read-parts.ts';
import {sampleLines} from '../log-samples.ts';

const summarise = (lines: readonly string[], topN = 1000): SummaryResult => {
  const summary = createSummary();
  for (const [index, text] of lines.entries()) {
    addTo(summary, text, BigInt(index));
  }
  return finishSummary(summary, topN);
};

const keysAndCounts = (rows: readonly SummaryRow[]): readonly (readonly [string, number])[] =>
  rows.map(({key, count}) => [key, count]);

/** As a search compiles it: case counts where there is a capital. */
const compile = (query: string): RegExp => {
  const source = query.slice('re:'.length);
  return new RegExp(source, source === source.toLowerCase() ? 'i' : '');
};

test.each([
  ['10.2.0.7 - - [21/Nov/2026:14:02:11 +0000] "GET /cart/12/items?a=1 HTTP/1.1" 200 157', 'GET /cart/‹n›/items 200'],
  ['10.2.0.7 - - [21/Nov/2026:14:02:11 +0000] "GET /img/logo2.png#top HTTP/1.1" 304 1', 'GET /img/logo2.png 304'],
  [
    '1.1.1.1 - - [21/Nov/2026:14:02:11 +0000] "GET /o/3fa85f64-5717-4562-b3fc-2c963f66afa6 HTTP/2" 500 1',
    'GET /o/‹id› 500',
  ],
  ['1.1.1.1 - - [21/Nov/2026:14:02:11 +0000] "\\x16\\x03" 400 1', '- 400'],
  ['{"level":30,"time":1,"msg":"user 12 came"}', 'user ‹n› came'],
  ['{"event":"x","message":"y 1"}', 'y ‹n›'],
  ['{"level":30,"pid":12}', '{"level":‹n›,"pid":‹n›}'],
  [
    '081109 203615 148 INFO dfs.DataNode$PacketResponder: PacketResponder 1 for block blk_-38865 terminating',
    'PacketResponder ‹n› for block blk_‹n› terminating',
  ],
  ['2015-10-18 18:01:47,978 WARN [main] a.B: to 10.1.2.3:80', 'to ‹ip›:‹n›'],
  ['[Sun Dec 04 04:47:44 2005] [error] state 6', 'state ‹n›'],
  ['took -1.5s at 0x7fff, sha256 i18n 10:30', 'took ‹n›s at ‹id›, sha‹n› i‹n›n ‹n›:‹n›'],
  ['req-9f3K2mZx from fe80::1 and ::1', 'req-‹id› from ‹ip› and ::‹n›'],
  ['J\\u00f6rg has 3', 'J\\u00f6rg has ‹n›'],
  ['deadbeef is a word, deadbeef1 an id', 'deadbeef is a word, ‹id› an id'],
  [`${'x'.repeat(600)}`, `${'x'.repeat(512)}…`],
  ['', ''],
])('the shape of %s', (text, shape) => {
  expect(readLineParts(text).shape.value).toBe(shape);
});

test('a request that fields report has the shape of a request, and filters find it', () => {
  const lines = [
    '{"time_local":"21/Nov/2026:14:12:01 +0000","remote_addr":"198.51.100.7","request":"GET /cart/1?x=1 HTTP/1.1","status":"200"}',
    '{"request_method":"GET","request_uri":"/cart/2","status":200}',
    '{"status":200, "request_method":"GET","request_uri":"/cart/3"}',
    '{"response_code":503,"method":"POST","path":"/cart/4"}',
    'method=GET path=/cart/5 format=html status=200 duration=12.30',
    'I, [2026-11-21T14:12:01.216512 #12]  INFO -- : Completed 404 Not Found in 12ms (Views: 8.1ms)',
  ];
  const {shapes, paths, statuses} = summarise([
    ...lines,
    'method=GET path=/cart/6 status=200 error="no cart"',
    '{"request_method":"PUT","request_uri":"/cart/2","status":200}',
  ]);
  expect(keysAndCounts(shapes.rows).slice(0, 3)).toEqual([
    ['GET /cart/‹n› 200', 4],
    ['POST /cart/‹n› 503', 1],
    ['Completed ‹n› Not Found in ‹n›ms (Views: ‹n›ms)', 1],
  ]);
  for (const row of [...shapes.rows.slice(0, 3), ...paths.rows, ...statuses.rows.slice(1)]) {
    const pattern = RE2JS.compile((filterFor(row) ?? '').slice('re:'.length));
    expect([row.key, lines.filter(line => pattern.matcher(line).find()).length]).toEqual([
      row.key,
      row.key === '/cart/‹n›' ? 5 : row.count,
    ]);
  }
});

test('a filter for a path in a field ends with the path', () => {
  const lines = ['method=GET path=/cart status=200', 'method=GET path=/cart/items status=200'];
  const {paths, shapes} = summarise(lines);
  const found = [...paths.rows, ...shapes.rows].map(row => {
    const filter = compile(filterFor(row) ?? '');
    return [row.key, lines.filter(line => filter.test(line))];
  });
  expect(found).toEqual([
    ['/cart', [lines[0]]],
    ['/cart/items', [lines[1]]],
    ['GET /cart 200', [lines[0]]],
    ['GET /cart/items 200', [lines[1]]],
  ]);
});

test('the message of a coloured line is its shape, and a filter finds it', () => {
  const line = '2026-11-21T14:02:11Z \x1b[31mERROR\x1b[0m no disk 3';
  const {shapes} = summarise([line]);
  expect(keysAndCounts(shapes.rows)).toEqual([['no disk ‹n›', 1]]);
  expect(shapes.rows.map(row => compile(filterFor(row) ?? '').test(line))).toEqual([true]);
});

test('counts levels, statuses, paths, clients and shapes', () => {
  const access = (client: string, path: string, status: number): string =>
    `${client} - - [21/Nov/2026:14:02:11 +0000] "GET ${path} HTTP/1.1" ${status} 1`;
  const summary = summarise([
    access('10.2.0.7', '/cart/1?x=1', 200),
    access('10.2.0.7', '/cart/2', 200),
    access('10.2.0.8', '/cart/3', 500),
    '{"level":50,"msg":"it failed","status":500,"path":"/cart/9","client_ip":"10.2.0.7"}',
    'ERROR it failed 1',
    'ERROR it failed 2',
  ]);
  expect([...summary.levels]).toEqual([
    ['info', 2],
    ['error', 4],
  ]);
  expect(keysAndCounts(summary.statuses.rows)).toEqual([
    ['200', 2],
    ['500', 2],
  ]);
  expect(keysAndCounts(summary.paths.rows)).toEqual([['/cart/‹n›', 4]]);
  expect(keysAndCounts(summary.clients.rows)).toEqual([
    ['10.2.0.7', 3],
    ['10.2.0.8', 1],
  ]);
  expect(keysAndCounts(summary.shapes.rows)).toEqual([
    ['GET /cart/‹n› 200', 2],
    ['ERROR it failed ‹n›', 2],
    ['GET /cart/‹n› 500', 1],
    ['it failed', 1],
  ]);
  const [first] = summary.shapes.rows;
  expect([first?.firstAt, first?.lastAt, first?.example]).toEqual([0n, 1n, access('10.2.0.7', '/cart/1?x=1', 200)]);
  expect([summary.lineCount, summary.firstAt, summary.lastAt]).toEqual([6, 0n, 5n]);
});

test('reads what error lines, logfmt and OpenStack tell of a request', () => {
  const summary = summarise([
    '2026/11/21 14:02:11 [error] 1#1: *5 open() failed, client: 10.6.0.1, request: "GET /gone/1?a HTTP/1.1", host: "shop"',
    '[Sat Nov 21 14:02:11 2026] [core:error] [pid 1] [client 10.6.0.1:80] AH00126: Invalid URI',
    'at=info method=GET note="path=/not status=200" path="/gone/2" client=10.6.0.1 status=503',
    'nova 2017-05-16 00:00:00.008 1 INFO nova.a [req-1] 10.6.0.2 "GET /gone/3 HTTP/1.1" status: 200 len: 1',
    'GET /gone/4?status=500&path=/x was called by no client',
  ]);
  expect(keysAndCounts(summary.paths.rows)).toEqual([['/gone/‹n›', 3]]);
  expect(keysAndCounts(summary.clients.rows)).toEqual([
    ['10.6.0.1', 3],
    ['10.6.0.2', 1],
  ]);
  expect(keysAndCounts(summary.statuses.rows)).toEqual([
    ['503', 1],
    ['200', 1],
  ]);
});

test.each([
  ['status', '503', ['httpStatus', 'response_code', 'StatusCode', 'http.response.status_code', 'DownstreamStatus']],
  ['path', '/gone', ['http.path', 'target', 'requestPath', 'request_url', 'Uri']],
  ['client', '10.6.0.1', ['remoteAddr', 'remoteIp', 'client.ip', 'src_ip', 'clientHost']],
] as const)('the %s counts by all names that the vocabulary has for it', (part, value, names) => {
  for (const name of names) {
    const json = readLineParts(`{"msg":"x","${name}":"${value}"}`)[part];
    expect([name, String(json?.value), json?.source]).toEqual([name, value, name]);
    const logfmt = readLineParts(`msg=x ${name}=${value} a=b`)[part];
    expect([name, String(logfmt?.value), logfmt?.source]).toEqual([name, value, `${name}=`]);
  }
});

test('times are those of the earliest and the latest line, in whatever order they come', () => {
  const summary = createSummary();
  for (const at of [5n, 9n, 2n]) {
    addTo(summary, 'a', at);
  }
  const {shapes, firstAt, lastAt} = finishSummary(summary, 1);
  expect([firstAt, lastAt, shapes.rows[0]?.firstAt, shapes.rows[0]?.lastAt]).toEqual([2n, 9n, 2n, 9n]);
});

test('a row of a trace is a line, but neither an error nor a shape of its own', () => {
  const summary = createSummary();
  addTo(summary, 'java.lang.Error: x', 1n);
  addTo(summary, '\tat com.example.Shop.main(Shop.java:1)', 2n, {isContinuation: true});
  const {lineCount, shapes, levels} = finishSummary(summary, 10);
  expect([lineCount, shapes.total, [...levels]]).toEqual([2, 1, [['error', 1]]]);
});

test('what no row counts is told', () => {
  const {shapes} = summarise(['a', 'a', 'b', 'c'], 1);
  expect(keysAndCounts(shapes.rows)).toEqual([['a', 2]]);
  expect([shapes.total, shapes.others, shapes.distinct]).toEqual([4, 2, 3]);
});

test('a filter finds the lines of its row, all of them and no others', () => {
  const lines = sampleLines(60);
  const summary = summarise(lines);
  const tables: readonly TableName[] = ['shapes', 'statuses', 'paths', 'clients'];
  for (const table of tables) {
    expect(summary[table].rows.length).toBeGreaterThan(2);
    for (const row of summary[table].rows) {
      const query = filterFor(row) ?? '';
      const found = lines.filter(line => compile(query).test(line));
      expect([row.key, query, found.length]).toEqual([row.key, query, row.count]);
      expect(found).toContain(row.example);
    }
  }
});

const reported: readonly string[] = [
  '[GIN] 2026/11/21 - 14:02:11 | 502 |  1.204512084s |     203.0.113.9 | POST     "/checkout"',
  '[GIN] 2026/11/21 - 14:02:12 | 200 |      12.042µs |             ::1 | GET      "/cart/12?a=502"',
  '[GIN] 2026/11/21 - 14:02:12 |\x1b[97;41m 503 \x1b[0m|  1.2ms |  192.0.2.44 |\x1b[97;46m POST    \x1b[0m "/orders"',
  '14:02:11 | 404 | 1.2ms | 203.0.113.7 | GET | /gone | -',
  'POST /checkout 504 1204.220 ms - 157',
  '\x1b[0mGET /users/12 \x1b[31m500 \x1b[0m3.217 ms - 22\x1b[0m',
  '198.51.100.1 - GET /users HTTP/1.1 401 12 - 3.2 ms',
  'Nov 21 14:02:11 lb1 haproxy[12]: 203.0.113.8:512 [21/Nov/2026:14:02:11.123] fe~ be/srv1 0/0/1/-1/3001 505 194 - - sH-- 12/12/3/1/0 0/0 "GET /checkout/7 HTTP/1.1"',
];

test('a request as gin, Fiber, morgan or HAProxy report it has a status, a path and a client, and filters find it', () => {
  const lines = [...reported, 'a job took 502 ms for /gone', '| 404 |', 'GET the /users'];
  const summary = summarise(lines);
  expect(keysAndCounts(summary.shapes.rows).slice(0, reported.length)).toEqual([
    ['POST /checkout 502', 1],
    ['GET /cart/‹n› 200', 1],
    ['POST /orders 503', 1],
    ['GET /gone 404', 1],
    ['POST /checkout 504', 1],
    ['GET /users/‹n› 500', 1],
    ['GET /users 401', 1],
    ['GET /checkout/‹n› 505', 1],
  ]);
  for (const table of ['statuses', 'paths', 'clients', 'shapes'] as const) {
    for (const row of summary[table].rows) {
      const query = filterFor(row) ?? '';
      const pattern = RE2JS.compile(query.slice('re:'.length));
      const found = lines.filter(line => compile(query).test(line));
      expect([row.key, query, found.length]).toEqual([row.key, query, row.count]);
      expect(lines.filter(line => pattern.matcher(line).find())).toEqual(found);
    }
  }
});

test('a filter is an expression that RE2 has too, and finds the same there', () => {
  const lines = sampleLines(4);
  for (const row of summarise(lines).shapes.rows) {
    const query = filterFor(row) ?? '';
    const pattern = RE2JS.compile(query.slice('re:'.length));
    expect(lines.filter(line => pattern.matcher(line).find()).length).toBe(row.count);
  }
});

test('a filter for lines that were longer than what is folded finds them', () => {
  const lines = ['a', 'b'].map(end => `${'word '.repeat(200)}${end}`);
  const [row] = summarise(lines).shapes.rows;
  expect(row?.count).toBe(2);
  const query = compile(row ? (filterFor(row) ?? '') : '');
  expect(lines.every(line => query.test(line))).toBe(true);
});

test('a filter that would be too long to read is none', () => {
  // `^` and `$` are around it.
  expect(filterFor({table: 'shapes', key: 'x'.repeat(3998), sources: ['text']})).toHaveLength(4003);
  expect(filterFor({table: 'shapes', key: 'x'.repeat(3999), sources: ['text']})).toBeUndefined();
  expect(filterFor({table: 'sources', key: '["web",null,null]', sources: ['text']})).toBeUndefined();
  expect(filterFor({table: 'shapes', key: '1'.repeat(5000), sources: ['text']})).toBeUndefined();
});

test('values without end are held in bounded memory, frequent ones are not lost, and the error is told', () => {
  const summary = createSummary();
  const client = (name: string): string => `{"msg":"x","client_ip":"${name}"}`;
  for (let n = 0; n < 30_000; n += 1) {
    addTo(summary, client(`rare-${n}`), BigInt(n));
    if (n % 10 === 5) {
      addTo(summary, client('often'), BigInt(n));
    }
  }
  const {clients} = finishSummary(summary, 100_000);
  const [often] = clients.rows;
  expect(often?.key).toBe('often');
  expect(often?.count).toBe(3000);
  expect(clients.rows.length).toBeLessThanOrEqual(4000);
  expect(clients.total).toBe(33_000);
  expect(clients.others + clients.rows.reduce((sum, {count}) => sum + count, 0)).toBe(33_000);
  expect(clients.distinct).toBe(false);
  const late = clients.rows.find(({key}) => key === 'rare-29999');
  expect(late?.count).toBe(1);
  expect(late?.missedMax).toBeGreaterThan(0);
});

test('a value that comes again after it was dropped says how much it may have missed', () => {
  const summary = createSummary();
  const client = (name: string): string => `{"msg":"x","client_ip":"${name}"}`;
  addTo(summary, client('back'), 0n);
  for (let n = 0; n < 20_000; n += 1) {
    addTo(summary, client(`a-${n % 4500}`), 0n);
  }
  addTo(summary, client('back'), 1n);
  const row = finishSummary(summary, 100_000).clients.rows.find(({key}) => key === 'back');
  const counted = row?.count ?? 0;
  expect(counted).toBeLessThanOrEqual(2);
  expect(counted + (row?.missedMax ?? 0)).toBeGreaterThanOrEqual(2);
});

test('users and hosts of warnings and errors have marks, where the words around them tell', () => {
  const shapeOf = (text: string): string => readLineParts(text).shape.value;
  expect(shapeOf('ERROR Failed password for root from 10.1.2.3')).toBe('ERROR Failed password for ‹name› from ‹ip›');
  expect(shapeOf('ERROR Failed password for invalid user bob from 10.1.2.3')).toBe(
    'ERROR Failed password for invalid user ‹name› from ‹ip›',
  );
  expect(shapeOf('WARN login refused user=bob rhost=web-1.example.com')).toContain('user=‹name› rhost=‹name›');
  expect(shapeOf('ERROR User bob from 10.1.2.3 refused')).toBe('ERROR User ‹name› from ‹ip› refused');
  expect(shapeOf('ERROR mail to bob@example.com bounced')).toBe('ERROR mail to ‹name› bounced');
  expect(shapeOf('ERROR no answer from mail.example.com[10.1.2.3]')).toBe('ERROR no answer from ‹name›[‹ip›]');
  expect(shapeOf('ERROR 10.1.2.3 maps to ns.example.com, but not back')).toBe(
    'ERROR ‹ip› maps to ‹name›, but not back',
  );
  // Of other lines they do not, nor where nothing tells.
  expect(shapeOf('INFO Failed password for root from 10.1.2.3')).toBe('INFO Failed password for root from ‹ip›');
  expect(shapeOf('ERROR waiting for root')).toBe('ERROR waiting for root');
});

test('a long line is read as far as it is shown', () => {
  const textOf = (length: number): string => `{"msg":"x","pad":"${'p'.repeat(length)}","status":500}`;
  const overhead = textOf(0).length;
  expect(readLineParts(textOf(16_384 - overhead)).status?.value).toBe(500);
  expect(readLineParts(textOf(16_385 - overhead)).status).toBeUndefined();
});

test('recent lines are counted of errors and warnings alone', () => {
  const summary = createSummary(5n);
  addTo(summary, 'ERROR a', 4n);
  addTo(summary, 'ERROR a', 5n, {source: {pod: 'web'}});
  addTo(summary, 'WARN b', 6n, {source: {pod: 'web'}});
  addTo(summary, 'INFO c', 7n, {headline: 'INFO d'});
  const {errors, warnings, sources, shapes} = finishSummary(summary, 9);
  const told = (rows: readonly SummaryRow[]) => rows.map(row => [row.table, row.key, row.count, row.recentCount]);
  expect(told(errors.rows)).toEqual([['errors', 'ERROR a', 2, 1]]);
  expect(told(warnings.rows)).toEqual([['warnings', 'WARN b', 1, 1]]);
  expect(told(sources.rows)).toEqual([['sources', '["web",null,null]', 1, 0]]);
  expect(told(shapes.rows).map(([, key, , recent]) => [key, recent])).toEqual([
    ['ERROR a', 0],
    ['WARN b', 0],
    ['INFO d', 0],
  ]);
});
