import {expect, test} from 'vitest';
import {fieldSpansMax, findFields} from '#log/reading/find-fields.ts';
import {levelOf} from '#log/reading/level.ts';
import {sanitise} from '#log/text/sanitise.ts';

/** The fields as one reads them: `time‹…› level!bad‹ERROR›`. */
const show = (text: string): string =>
  findFields(text)
    .map(({start, end, field, severity}) => {
      const mark = severity === 'plain' ? '' : `!${severity}`;
      return `${field}${mark}‹${text.slice(start, end)}›`;
    })
    .join(' ');

const cases: readonly (readonly [string, string])[] = [
  // Access logs
  [
    '10.2.0.7 - - [21/Nov/2026:14:02:11 +0000] "GET /cart?a=1 HTTP/1.1" 200 157 "-" "Mozilla/5.0"',
    'client‹10.2.0.7› time‹21/Nov/2026:14:02:11 +0000› method‹GET› path‹/cart?a=1› status‹200›',
  ],
  // What a client sends is not looked at.
  [
    '10.2.0.7 - - [21/Nov/2026:14:02:11 +0000] "GET / HTTP/1.1" 200 157 "-" "bot id=5 status=500 {"a":1}"',
    'client‹10.2.0.7› time‹21/Nov/2026:14:02:11 +0000› method‹GET› path‹/› status‹200›',
  ],
  [
    '2001:db8::1 - John Smith [21/Nov/2026:14:02:11 +0000] "POST /a HTTP/2" 404 0',
    'client‹2001:db8::1› time‹21/Nov/2026:14:02:11 +0000› method‹POST› path‹/a› status!warn‹404›',
  ],
  [
    'www.example.com:80 1.2.3.4 - - [21/Nov/2026:14:02:11 +0000] "GET / HTTP/1.1" 500 1',
    'client‹1.2.3.4› time‹21/Nov/2026:14:02:11 +0000› method‹GET› path‹/› status!bad‹500›',
  ],
  [
    'web_1  | 1.2.3.4 - bob [21/Nov/2026:14:02:11 +0000] "-" 408 1',
    'client‹1.2.3.4› time‹21/Nov/2026:14:02:11 +0000› status!warn‹408›',
  ],
  [
    '127.0.0.1 -  21/Nov/2026:14:02:11 +0000 "GET /index.php" 503',
    'client‹127.0.0.1› time‹21/Nov/2026:14:02:11 +0000› method‹GET› path‹/index.php› status!bad‹503›',
  ],
  ['INFO:     127.0.0.1:5000 - "GET / HTTP/1.1" 200 OK', 'client‹127.0.0.1› method‹GET› path‹/› status‹200›'],
  ['GET /cart 500 12.3 ms - 157', 'method‹GET› path‹/cart› status!bad‹500›'],
  // Error logs of web servers, PHP
  [
    '2026/11/21 14:02:11 [error] 12#12: *5 open() "/x" failed, client: 10.2.0.7, request: "GET /x HTTP/1.1"',
    'time‹2026/11/21 14:02:11› level!bad‹error› client‹10.2.0.7› method‹GET› path‹/x›',
  ],
  [
    '[Sun Dec 04 04:47:44 2005] [error] mod_jk child workerEnv in error state 6',
    'time‹Sun Dec 04 04:47:44 2005› level!bad‹error›',
  ],
  [
    '[Sat Nov 21 14:02:11.123456 2026] [core:error] [pid 12:tid 34] [client 10.2.0.7:80] AH00126: Invalid URI',
    'time‹Sat Nov 21 14:02:11.123456 2026› level!bad‹error› client‹10.2.0.7›',
  ],
  [
    '[21-Nov-2026 14:02:11 UTC] PHP Fatal error:  Uncaught Error: x',
    'time‹21-Nov-2026 14:02:11 UTC› level!bad‹PHP Fatal error›',
  ],
  ['[21-Nov-2026 14:02:11] WARNING: [pool www] exited', 'time‹21-Nov-2026 14:02:11› level!warn‹WARNING›'],
  ['NOTICE: PHP message: PHP Warning:  x', 'level!warn‹PHP Warning›'],
  // JSON and logfmt
  [
    '{"level":50,"ts":1770000000.1,"msg":"GET /x 500","status":503,"req":{"method":"GET"}}',
    'key‹level› level!bad‹50› key‹ts› time‹1770000000.1› key‹msg› key‹status› status!bad‹503› key‹req› key‹method› method‹GET›',
  ],
  ['{"msg":"a \\" b","level":"warn', 'key‹msg› key‹level›'],
  [
    'time="2026-11-21T14:02:11Z" level=error msg="level=info it failed" status=404',
    'key‹time› time‹2026-11-21T14:02:11Z› key‹level› level!bad‹error› key‹msg› key‹status› status!warn‹404›',
  ],
  ['a=1 b="it [error] failed" c=2', 'key‹a› key‹b› level!bad‹error› key‹c›'],
  ['a=1 path="/it [error] failed"', 'key‹a› key‹path› path‹/it [error] failed›'],
  ['2026-11-21T14:02:11.123Z stdout F {"level":"info"}', 'time‹2026-11-21T14:02:11.123Z› key‹level› level‹info›'],
  // Syslog
  [
    'Jun 14 15:16:01 combo sshd(pam_unix)[19939]: authentication failure; uid=0 rhost=218.188.2.4',
    'time‹Jun 14 15:16:01› logger‹sshd› key‹uid› key‹rhost›',
  ],
  [
    'Dec 10 07:13:43 LabSZ sshd[24227]: error: Received disconnect',
    'time‹Dec 10 07:13:43› logger‹sshd› level!bad‹error›',
  ],
  ['<11>1 2026-11-21T14:02:11.003Z host app - - - boom', 'level!bad‹<11>› time‹2026-11-21T14:02:11.003Z›'],
  ['E1121 14:02:11.123456       1 file.go:12] it failed', 'level!bad‹E› time‹1121 14:02:11.123456› logger‹file.go:12›'],
  // Java, Hadoop, OpenStack, Python
  [
    '081109 203615 148 INFO dfs.DataNode$PacketResponder: PacketResponder 1 for block blk_38 terminating',
    'time‹081109 203615› level‹INFO› logger‹dfs.DataNode$PacketResponder›',
  ],
  [
    '2015-10-18 18:01:47,978 FATAL [main] org.apache.hadoop.MRAppMaster: ERROR IN CONTACTING RM.',
    'time‹2015-10-18 18:01:47,978› level!bad‹FATAL› logger‹org.apache.hadoop.MRAppMaster›',
  ],
  [
    'nova-api.log.1.2017-05-16_13:53:08 2017-05-16 00:00:00.008 25746 WARNING nova.osapi.server [req-3 - -] 10.11.10.1 "GET /v2 HTTP/1.1" status: 200 len: 1893',
    'time‹2017-05-16 00:00:00.008› level!warn‹WARNING› logger‹nova.osapi.server› client‹10.11.10.1› method‹GET› path‹/v2› status‹200›',
  ],
  [
    '2026-11-21 14:02:11.123  INFO 1 --- [           main] c.e.s.ShopApplication : Started',
    'time‹2026-11-21 14:02:11.123› level‹INFO› logger‹c.e.s.ShopApplication›',
  ],
  ['ERROR:root:it failed', 'level!bad‹ERROR› logger‹root›'],
  ['java.lang.IllegalStateException: it failed', 'level!bad‹java.lang.IllegalStateException›'],
  ['Traceback (most recent call last):', 'level!bad‹Traceback›'],
  // Requests as frameworks and routers write them
  [
    '{"DownstreamStatus":502,"RequestMethod":"GET","RequestPath":"/x","level":"info"}',
    'key‹DownstreamStatus› status!bad‹502› key‹RequestMethod› method‹GET› key‹RequestPath› path‹/x› key‹level› level‹info›',
  ],
  [
    '[GIN] 2026/11/21 - 14:02:11 | 502 | 1.2ms | 10.1.2.3 | POST     "/cart"',
    'time‹2026/11/21 - 14:02:11› status!bad‹502› client‹10.1.2.3› method‹POST› path‹/cart›',
  ],
  ['Completed 500 Internal Server Error in 12ms (ActiveRecord: 1.2ms)', 'status!bad‹500›'],
  ['E/AndroidRuntime( 4321): FATAL EXCEPTION: main', 'level!bad‹E› logger‹AndroidRuntime›'],
  // Nothing is wrong here, and nothing is coloured as if it were
  ['there was no ERROR in 500 lines', ''],
  ['    at Object.<anonymous> (/app/error.js:1:7)', ''],
  ['', ''],
];

test.each(cases)('%s', (text, fields) => {
  expect(show(text)).toBe(fields);
});

test('a level between tabs is still found when the tabs have become blanks', () => {
  expect(show(sanitise('2026-11-21T14:02:11.123Z\terror\tmain.go:12\tit failed'))).toBe(
    'time‹2026-11-21T14:02:11.123Z› level!bad‹error›',
  );
});

test('what is wrong by the fields is what is wrong by the level', () => {
  for (const [text] of cases.filter(([text]) => !/^\{"msg"| path=/.test(text))) {
    const isBad = findFields(text).some(span => span.severity === 'bad');
    expect([text, isBad]).toEqual([text, ['error', 'fatal'].includes(levelOf(text))]);
  }
});

test('fields ascend, lie within the text and over no other, and are bounded, whatever the line', () => {
  const pieces = [
    '"',
    '\\',
    '{',
    '[',
    '=',
    'a=',
    'GET /',
    '2026-11-21 ',
    '14:02:11',
    ':',
    '1.',
    ' ',
    'ERROR ',
    '…',
    'a."',
  ];
  for (const first of pieces) {
    for (const second of pieces) {
      const text = `${first}${`${second}${first}`.repeat(3000)}`.slice(0, 16_384);
      const spans = findFields(text);
      expect(spans.length).toBeLessThanOrEqual(fieldSpansMax);
      let end = 0;
      for (const span of spans) {
        expect(span.start).toBeGreaterThanOrEqual(end);
        expect(span.end).toBeGreaterThan(span.start);
        ({end} = span);
      }
      expect(end).toBeLessThanOrEqual(4096);
    }
  }
});
