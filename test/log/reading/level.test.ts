import {expect, test} from 'vitest';
import {findLevel, levelOf} from '#log/reading/level.ts';
import {type Level, levelNames, levelRank} from '#log/tokens/level-words.ts';

const access = (status: number, path = '/cart', agent = 'Mozilla/5.0'): string =>
  `10.2.0.7 - - [21/Nov/2026:14:02:11 +0000] "GET ${path} HTTP/1.1" ${status} 157 "-" "${agent}"`;

const cases: readonly (readonly [Level, string])[] = [
  // Web servers' access logs
  ['info', access(200)],
  ['info', access(304)],
  ['warn', access(404)],
  ['warn', access(499)],
  ['error', access(500)],
  ['error', access(503)],
  ['info', access(200, '/error.html?level=error&ERROR')],
  ['info', access(200, '/', 'evil [error] ERROR: PHP Fatal error: " 500 ')],
  ['info', access(200, '/a\\" 500 1')],
  ['error', access(500, '/a\\\\')],
  ['error', access(502, `/${'long/'.repeat(300)}`)],
  ['warn', '10.2.0.7 - - [21/Nov/2026:14:02:11 +0000] "\\x16\\x03\\x01" 400 157 "-" "-"'],
  ['warn', '10.2.0.7 - - [21/Nov/2026:14:02:11 +0000] "-" 408 0 "-" "-"'],
  ['error', '127.0.0.1 -  21/Nov/2026:14:02:11 +0000 "GET /index.php" 500'],
  ['error', 'INFO:     127.0.0.1:5000 - "GET / HTTP/1.1" 500 Internal Server Error'],
  ['none', 'the user said "hello" 500 times'],
  // Events of Kubernetes, by their type alone
  ['warn', 'Warning BackOff pod/web-1/php: Back-off restarting failed container (×7)'],
  ['info', 'Normal Killing pod/web-1: ERROR: FATAL: Container php failed its liveness probe'],
  ['warn', 'Warning Unhealthy pod/web-1: level=error statuscode: 500'],
  ['none', 'Warning of a sentence: with words'],
  // PHP and PHP-FPM
  ['warn', '[21-Nov-2026 14:02:11] WARNING: [pool www] child 12 exited on signal 9'],
  ['info', '[21-Nov-2026 14:02:11] NOTICE: ready to handle connections'],
  ['error', '[21-Nov-2026 14:02:11] ERROR: unable to bind listening socket'],
  ['fatal', 'NOTICE: PHP message: PHP Fatal error:  Uncaught Error: Call to a member function x() on null'],
  ['warn', 'PHP Warning:  Undefined variable $x in /app/a.php on line 3'],
  ['warn', 'PHP Deprecated:  Function x() is deprecated in /app/a.php on line 3'],
  ['info', 'PHP Notice:  Undefined index: a in /app/a.php on line 3'],
  ['error', "PHP Parse error:  syntax error, unexpected '}' in /app/a.php on line 3"],
  ['fatal', 'PHP Recoverable fatal error:  x'],
  ['fatal', 'Fatal error: Allowed memory size of 134217728 bytes exhausted'],
  ['warn', 'Warning: mysqli_connect(): refused'],
  ['warn', '2026/11/21 14:02:11 [error] 12#12: *5 FastCGI sent in stderr: "PHP message: PHP Warning:  x"'],
  ['info', 'NOTICE: PHP message: cache warmed'],
  // JSON
  ['info', '{"level":30,"time":1770000000000,"msg":"ready"}'],
  ['error', '{"level":50,"msg":"x"}'],
  ['fatal', '{"level":60}'],
  ['error', '{"severity":"ERROR","message":"x"}'],
  ['warn', '{"lvl":"warn","msg":"x"}'],
  ['debug', '{"log.level": "debug"}'],
  ['error', '{"@timestamp":"x","log":{"logger":"a","level":"error"},"message":"x"}'],
  ['error', '{"message":"x","level":400,"level_name":"ERROR"}'],
  ['error', '{"priority":6,"level":3}'],
  ['error', '{"MESSAGE":"it failed","PRIORITY":"3"}'],
  ['warn', '{"severity_number":13,"body":"slow"}'],
  ['fatal', '{"body":"x","severityNumber":21}'],
  ['error', '{"time":"2026-11-21T14:02:11Z","level":"ERROR+2","msg":"it failed"}'],
  ['debug', '{"level":"DEBUG-2","msg":"x"}'],
  [
    'error',
    '{"start_time":"2026-11-21T14:02:11.031Z","method":"GET","path":"/cart","response_code":503,"response_flags":"UF"}',
  ],
  [
    'warn',
    '{"response_code":404,"response_code_details":"route_not_found","method":"GET","path":"/a","authority":"shop"}',
  ],
  ['error', '{"http":{"request":{"method":"GET"},"response":{"status_code":500}},"url":{"path":"/cart"}}'],
  ['none', '{"job":{"status":500},"method":"GET","path":"/cart"}'],
  ['fatal', '{"level":0}'],
  ['debug', '{"level":7}'],
  ['none', '{"level":8}'],
  ['trace', '{"level":10}'],
  ['error', '{"ctx":{"level":"debug"},"level":"error"}'],
  ['info', '{"msg":"he said \\"level\\":\\"error\\"","level":"info"}'],
  ['error', '{"msg":"one \\" quote","level":"error"}'],
  ['info', '{"msg":"level","x":"ERROR","level":"info"}'],
  ['warn', `{"msg":"${'long '.repeat(300)}","level":"warn"}`],
  ['error', '{"level":"error","msg":"cut off here'],
  ['none', '{"msg":"no level, one error"}'],
  ['none', '{"level":{"deep":"error"}}'],
  ['none', '{not json at all ERROR'],
  // Web servers' error logs
  ['error', '2026/11/21 14:02:11 [error] 12#12: *5 upstream timed out'],
  ['fatal', '2026/11/21 14:02:11 [emerg] 1#1: bind() failed'],
  ['warn', '2026/11/21 14:02:11 [warn] 12#12: a client request body is buffered'],
  ['error', '[Sat Nov 21 14:02:11.123456 2026] [core:error] [pid 12:tid 34] AH00126: Invalid URI'],
  ['info', '[Sat Nov 21 14:02:11.123456 2026] [mpm_event:notice] [pid 1:tid 2] AH00489: configured'],
  ['warn', '[Sat Nov 21 14:02:11 2026] [:warn] [pid 12] x'],
  // Loggers
  ['error', '2026-11-21 14:02:11,123 [main] ERROR com.example.Shop - failed'],
  ['warn', '14:02:11.123 [http-nio-8080-exec-1] WARN  c.e.Shop -- slow'],
  ['error', '2026-11-21T14:02:11.123Z ERROR 1 --- [main] c.e.Shop : failed'],
  ['info', '2026-11-21 14:02:11 INFO [main] ERROR handling is on'],
  ['debug', '[DEBUG] x'],
  ['info', '[INFO ] x'],
  ['trace', '2026-11-21 TRACE x'],
  ['fatal', '2026-11-21 14:02:11 FATAL x'],
  ['fatal', '2026-11-21 14:02:11 CRITICAL x'],
  ['error', '2026-11-21 14:02:11.123 UTC [12] shop@shop ERROR:  relation "x" does not exist'],
  ['error', 'ERROR:root:it failed'],
  ['error', '2026-11-21 14:02:11,123 - shop.cart - ERROR - it failed'],
  ['error', '[2026-11-21T14:02:11+00:00] app.ERROR: it failed {"a":1} []'],
  ['warn', '[2026-11-21 14:02:11] production.WARNING: slow'],
  ['error', 'level=error msg="it failed"'],
  ['warn', 'time="2026-11-21T14:02:11Z" level=warning msg="slow ERROR"'],
  ['info', 'ts=1 lvl="info" msg=x'],
  ['error', '<3>it failed'],
  ['info', '<134>1 2026-11-21T14:02:11Z host app - - - ERROR'],
  ['error', 'E1121 14:02:11.123456       1 file.go:12] it failed'],
  ['info', 'I1121 14:02:11.123456       1 file.go:12] ERROR'],
  ['info', '[2026-11-21T14:02:11.123Z] info  code-server 4.1'],
  ['error', '[14:02:11] error it failed'],
  ['error', '2026-11-21T14:02:11.123Z\terror\tmain.go:12\tit failed'],
  ['error', '[14:02:11 ERR] it failed'],
  ['warn', 'warn: Microsoft.Hosting[0]'],
  ['error', 'npm ERR! code 1'],
  ['error', 'ERRO[0001] it failed  error="no route"'],
  ['warn', 'WARN[0001] slow'],
  ['fatal', 'FATA[0001] it failed'],
  ['error', '[2026-11-21 14:02:11,123: ERROR/MainProcess] Task failed'],
  ['none', 'read LOG/file of [x]'],
  ['info', '081109 203615 148 INFO dfs.DataNode$PacketResponder: PacketResponder 1 for block blk_3 terminating'],
  ['info', '081109 203610 0 INFO dfs.DataNode$PacketResponder: PacketResponder 0 for block blk_3 terminating'],
  ['none', 'found 0 ERROR'],
  ['fatal', '2015-10-18 18:10:55,202 FATAL [RMCommunicator Allocator] org.apache.hadoop.A: ERROR IN CONTACTING RM.'],
  ['info', '2015-07-29 17:41:44,747 - INFO  [QuorumPeer[myid=1]/0:0:0:0:0:0:0:0:2181:F@774] - Notification time out'],
  ['info', '17/06/09 20:10:40 INFO executor.CoarseGrainedExecutorBackend: Registered signal handlers'],
  [
    'info',
    'nova-api.log.1.2017-05-16_13:53:08 2017-05-16 00:00:00.008 25746 INFO nova.osapi [req-3 - -] 10.11.10.1 "GET /v2 HTTP/1.1" status: 500 len: 1893',
  ],
  [
    'warn',
    'nova.log.1.2017-05-16_13:55:31 2017-05-16 00:00:13.025 2931 WARNING nova.virt [req-a - -] Unknown base file',
  ],
  ['info', '[Sun Dec 04 04:47:44 2005] [notice] workerEnv.init() ok /etc/httpd/conf/workers2.properties'],
  ['error', '[Sun Dec 04 04:47:44 2005] [error] mod_jk child workerEnv in error state 6'],
  ['warn', 'Jun 14 15:16:01 combo sshd(pam_unix)[19939]: authentication failure; logname= uid=0 tty=ssh'],
  ['warn', 'Dec 10 06:55:46 LabSZ sshd[24200]: Failed password for invalid user webmaster from 173.234.31.186'],
  ['fatal', 'Dec 10 07:28:03 LabSZ sshd[24245]: fatal: Read from socket failed: Connection reset by peer [preauth]'],
  ['error', 'error: it failed'],
  ['error', 'Nov 21 14:02:11 web sshd[12]: error: it failed'],
  ['info', '\x1b[32mINFO\x1b[0m  ready'],
  ['error', '\x1b[31m[ERROR]\x1b[0m it failed'],
  // Heads of traces, and what hangs below them
  ['error', 'java.lang.IllegalStateException: it failed'],
  ['error', "TypeError: Cannot read properties of undefined (reading 'x')"],
  ['error', 'Exception in thread "main" java.lang.Error'],
  ['error', 'Traceback (most recent call last):'],
  ['fatal', 'panic: runtime error: index out of range'],
  ['none', '    at Object.<anonymous> (/app/error.js:1:7)'],
  ['none', '\tat com.example.ErrorHandler.ERROR(Shop.java:1)'],
  ['none', '#0 /app/a.php(3): ERROR()'],
  ['none', 'Caused by: java.io.IOException: ERROR'],
  ['none', '\t... 11 more'],
  ['none', '  File "/app/error.py", line 3, in ERROR'],
  ['none', 'PHP Stack trace:'],
  ['none', 'PHP   1. {main}() /app/a.php:0'],
  ['none', '  thrown in /app/a.php on line 3'],
  // Words that only speak of levels
  ['none', 'errors=0 warnings=0'],
  ['none', 'no error'],
  ['none', 'there was no ERROR'],
  ['none', 'finished without error: all good'],
  ['none', 'errors: 0'],
  ['none', 'GET /error.html 200'],
  ['none', 'production.Warning: slow'],
  ['none', 'loaded errorHandler'],
  ['none', 'one two three four five six seven eight nine ten eleven ERROR'],
  ['none', ''],
  ['none', '   '],
];

test.each(cases)('%s: %s', (level, text) => {
  expect(levelOf(text)).toBe(level);
});

test('a level deep in a long line does not count', () => {
  expect(levelOf(`${'x'.repeat(600)} level=error`)).toBe('none');
});

test('levels are in order', () => {
  const mixed: Level[] = ['fatal', 'none', 'warn', 'trace', 'error', 'debug', 'info'];
  const inOrder: Level[] = ['none', 'trace', 'debug', 'info', 'warn', 'error', 'fatal'];
  expect(mixed.sort((a, b) => levelRank(a) - levelRank(b))).toEqual(inOrder);
  expect(['none', ...levelNames]).toEqual(inOrder);
});

test.each([
  ['<11>', '<11>1 2026-11-21T14:02:11Z host app - - - boom'],
  ['W', 'W1121 14:02:11.123456       1 file.go:12] slow'],
  ['PHP User Warning', 'NOTICE: PHP message: PHP User Warning:  x'],
  ['Traceback', 'Traceback (most recent call last):'],
  ['Exception in thread', 'Exception in thread "main" java.lang.Error'],
  ['Fatal error', 'Fatal error: Allowed memory size of 134217728 bytes exhausted'],
  ['java.io.IOException', 'java.io.IOException: it failed'],
  ['warn', '2026/11/21 14:02:11 [warn] 12#12: a client request body is buffered'],
  ['', access(500)],
  ['', '{"level":"error"}'],
  ['', 'level=error msg="it failed"'],
])('the level is said by "%s" in %s', (word, text) => {
  const place = findLevel(text);
  expect(text.slice(place?.start, place?.end)).toBe(word);
});
