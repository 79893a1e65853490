import {expect, test} from 'vitest';
import {isFatal} from '#log/incident/findings/read-chunk.ts';
import {levelRank} from '#log/tokens/level-words.ts';

const [none, info, warn, error] = (['none', 'info', 'warn', 'error'] as const).map(levelRank);

test.each([
  'Out of memory: Killed process 3121 (java) total-vm:8123456kB, anon-rss:4012345kB',
  '[Fri Nov 20 09:00:01 2026] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null)',
  'node invoked oom-killer: gfp_mask=0x100cca',
  'Out of memory: Kill process 3121 (java) score 900 or sacrifice child',
  'fatal error: runtime: out of memory',
  'Killed process 3121 (java) total-vm:8123456kB',
  'process 311 was sent SIGKILL',
  'worker terminated by signal 9',
  'ENFILE: file table overflow',
  'socket: too many open files',
  '::error file=app.ts::tests failed',
  'java.lang.OutOfMemoryError: Java heap space',
  'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
  'PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes)',
  'container app restarted: OOMKilled, exit code 137',
  'panic: runtime error: index out of range [5] with length 3',
  "thread 'main' panicked at src/main.rs:4:5:",
  'Kernel panic - not syncing: Fatal exception in interrupt',
  'php-fpm[311]: segfault at 0 ip 00007f3b2c sp 00007ffd1 error 4 in libc.so.6',
  'Segmentation fault (core dumped)',
  'worker process 311 exited on signal 9',
  'Killed',
  'write /var/lib/data/wal.log: no space left on device',
  'ENOSPC: no space left on device, write',
  'accept4() failed (24: Too many open files)',
  'Error: EMFILE: too many open files, open /srv/app/x.js',
  'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  'CERT_HAS_EXPIRED',
  '##[error]Process completed with exit code 1.',
  '2026-11-20T09:00:01.1234567Z ##[error]The operation was canceled.',
])('once is enough: %s', text => {
  expect(isFatal(text, none ?? 0)).toBe(true);
});

test.each([
  'allocation failed, out of memory',
  'http: panic: index out of range',
  'child died of SIGSEGV',
  'job failed: signal: killed',
  'disk full, cannot write segment 7',
  'too many open files',
  'upstream certificate expired on 2026-11-20',
])('of an error it is: %s', text => {
  expect([error, warn, info, none].map(rank => isFatal(text, rank ?? 0))).toEqual([true, false, false, false]);
});

test.each([
  'GET /docs/panic HTTP/1.1 200',
  'do not panic, all is well',
  'the cat killed 3 birds',
  'certificate expires in 20 days',
  'memory is fine, no process was killed',
  'disk usage 41 %, no cleanup needed',
  'open files: 311 of 65536',
  'oom_score_adj=0 set for worker',
])('it is not: %s', text => {
  expect([none, info, warn, error].map(rank => isFatal(text, rank ?? 0))).toEqual([false, false, false, false]);
});
