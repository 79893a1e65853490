import type {Level} from '#log/tokens/level-words.ts';

/** The signs with which one of the forms begins, so that most lines need no more than this. */
const starts = /^[A-Za-z/*=#(]/;

const error =
  /^(?:\S{1,200}: line \d{1,7}: +\d{1,10} )?(?:Segmentation fault|Aborted|Bus error|Illegal instruction|Floating point exception|Killed)(?: +\(core dumped\))?(?:$| {2,})|^(?:terminate called |double free or corruption |munmap_chunk\(\)|(?:free|malloc|realloc)\(\): (?:invalid|corrupted|mismatching|unaligned|unsorted|memory|double) |corrupted size vs\. |SIG(?:SEGV|ABRT|BUS|ILL|FPE): )|^\*\*\* .{1,200} \*\*\*: terminated$|^==\d{1,10}== ?ERROR: |^# (?:A fatal error has been detected by|There is insufficient memory for) the Java Runtime Environment|^(?:ba|da|a|z)?sh: .{1,400}: (?:command )?not found$|^\/\S{1,200}: (?:line )?\d{1,7}: .{1,400}: (?:(?:command )?not found|Permission denied|No such file or directory)$|^exec \S{1,200}: (?:exec format error|no such file or directory|permission denied)$|^(?:OCI runtime (?:create|exec) failed|Error response from daemon): /;
const nodeWarning = /^\(node:\d{1,10}\) (?:\[\w{1,32}\] )?\w{0,64}Warning: /;

/**
 * Returns the level of what a program's end leaves on its standard error, said by the C library, a shell, a runtime or
 * an engine of containers: `Segmentation fault`, `Killed`, `command not found`; and of Node's own warnings and
 * those of Go's HTTP server.
 */
export const levelOfCrash = (head: string): Level | undefined => {
  if (starts.test(head) && error.test(head)) {
    return 'error';
  }
  return head.includes('http: TLS handshake error from ') || nodeWarning.test(head) ? 'warn' : undefined;
};
