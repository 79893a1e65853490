/** Lines in the manner of many programs, the same at every run: the n-th has its own numbers, ids and times. */

const hex = (n: number, length: number): string =>
  `a${((n + 1) * 2_654_435_761).toString(16)}b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6`.slice(0, length);

const forms: readonly ((n: number) => string)[] = [
  n =>
    `10.2.0.${n % 5} - - [21/Nov/2026:14:02:${10 + (n % 50)} +0000] "GET /cart/${n}?page=${n} HTTP/1.1" ${[200, 404, 500][n % 3]} ${n * 7} "-" "Mozilla/5.0 (X11; Linux) 404 "`,
  n =>
    `10.2.0.${n % 4} - - [21/Nov/2026:14:02:11 +0000] "POST /api/v1/orders HTTP/1.1" ${n % 2 ? 201 : 200} ${n} "http://shop/cart/12" "curl"`,
  n => `2001:db8::${n % 3} - bob [21/Nov/2026:14:02:11 +0000] "GET /item/${hex(n, 24)}/a HTTP/2" 200 ${n} "-" "x"`,
  () => '10.2.0.1 - - [21/Nov/2026:14:02:11 +0000] "-" 408 0 "-" "-"',
  n => `127.0.0.1 -  21/Nov/2026:14:02:11 +0000 "GET /index.php" ${n % 2 ? 500 : 200}`,
  n =>
    `{"level":${n % 2 ? 30 : 50},"time":${1_770_000_000_000 + n},"pid":${n},"msg":"user ${n} did \\"log in\\" from 10.0.0.${n % 9}"}`,
  n =>
    `{"ts":"2026-11-21T14:02:11Z","method":"GET","path":"/cart/${n}","status":${n % 2 ? 200 : 503},"client_ip":"10.9.0.${n % 3}"}`,
  n => `{"severity":"ERROR","message":"no route (yet?) to [shop] ${hex(n, 12)}","request":{"url":"/a?b=${n}"}}`,
  n => `2026-11-21T14:02:11.${100 + (n % 800)}Z stdout F {"level":"info","msg":"ready in ${n} ms"}`,
  n =>
    `081109 2036${10 + (n % 50)} ${n} INFO dfs.DataNode$PacketResponder: PacketResponder ${n % 3} for block blk_-${n}38865049064 terminating`,
  n =>
    `2015-10-18 18:01:47,${100 + (n % 800)} WARN [main] org.apache.hadoop.A: Address change on 10.190.173.${n % 200}:${9000 + n}`,
  n => `[Sun Dec 04 04:47:${10 + (n % 50)} 2005] [error] mod_jk child workerEnv in error state ${n % 9}`,
  n =>
    `Jun 14 15:16:${10 + (n % 50)} combo sshd(pam_unix)[${n}]: authentication failure; logname= uid=0 rhost=218.188.2.${n % 99} `,
  n =>
    `2026/11/21 14:02:11 [error] ${n}#12: *5 upstream timed out (110: Connection timed out), client: 10.2.0.${n % 9}`,
  () => 'WARNING: [pool www] seems busy (you may need to increase pm.start_servers)',
  n => `time="2026-11-21T14:02:11Z" level=info msg="took ${n}.5ms" id=${hex(n, 8)}-1234-5678-9abc-def012345678`,
  n =>
    `nova.log 2017-05-16 00:00:00.${100 + (n % 800)} 2574 INFO nova.osapi [req-${hex(n, 8)} - -] 10.11.10.${n % 3} "GET /v2/${hex(n, 32)}/servers?a=1 HTTP/1.1" status: ${n % 2 ? 200 : 404} len: ${n}`,
  n =>
    `at=info method=GET path="/shop/${n}?q=1" host=shop.example client=10.7.0.${n % 3} status=${n % 2 ? 200 : 503} bytes=${n}`,
  n =>
    `[Sat Nov 21 14:02:11.${100_000 + n} 2026] [core:error] [pid ${n}] [client 10.8.0.${n % 3}:80] AH00126: Invalid URI in request`,
  n =>
    `2026/11/21 14:02:11 [error] ${n}#1: *5 open() failed, client: 10.6.0.${n % 3}, request: "GET /gone/${n} HTTP/1.1", host: "shop"`,
  n => `connection closed${n % 2 ? ' by peer' : ''}`,
  n => `worker-${n} picked job ${hex(n, 40)} +${n}%`,
];

/** `count` lines of each form, the forms by turns. */
export const sampleLines = (count: number): readonly string[] =>
  Array.from({length: count}, (_, n) => forms.map(form => form(n))).flat();
