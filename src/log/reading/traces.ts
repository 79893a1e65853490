import type {Level} from '#log/tokens/level-words.ts';
import type {LevelPlace} from './form.ts';

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

// Indented or not, Node's causes and Go's further panics among them; then, not indented, Python between two exceptions,
// Rust, and Go's goroutines and signals. Most lines begin with none of their signs.
const traceLine =
  /^(?=[\s#CSPDTsngc.[-])(?:\s+at |\s*#\d+ |\s*Caused by: |\s*Suppressed: |\s*\.\.\. \d+ |\s+File "|\s+\[(?:cause|errors)\]: |\s+panic: |\s+thrown in |(?:PHP )?Stack trace:|--- End of (?:stack trace|inner exception)|PHP +\d+\. |During handling of the above exception|The above exception was|stack backtrace:$|note: (?:run with `RUST_BACKTRACE|Some details are omitted)|goroutine \d+ [^:]{0,99}\]:$|created by [\w./]+\.|\[signal SIG\w+: )/;

// A function of Go with its arguments, which are numbers: main.(*Server).pay(0xc000012345, {0x1, 0x2}); or, as gin
// prints it, a file with the address: /src/shop.go:12 (0x43a0f1)
const goArguments = /\((?:0x[\da-f]+\??|[{}, _]|\.\.\.)*\)$/y;
const goFunction = /^[\w./*()[\]·%-]+\.[^.\s]+$/;
const goFile = /^\/\S+\.go:\d+ $/;

const isGoCall = (text: string): boolean => {
  if (!text.endsWith(')')) {
    return false;
  }
  const open = text.lastIndexOf('(');
  goArguments.lastIndex = open;
  if (!goArguments.test(text)) {
    return false;
  }
  const before = text.slice(0, open);
  return before === 'panic' || goFunction.test(before) || goFile.test(before);
};

/**
 * Checks whether the text, free of SGR, is certainly a further line of a stack trace (Java, JavaScript, PHP, Python,
 * Go, Rust). A level word in it names a class or a file, so the line has no level of its own.
 */
export const isTraceLine = (text: string): boolean => traceLine.test(text) || isGoCall(text);

/** Last words of programs: Rust, PHP, C. */
const fatalHead =
  /^(?:thread '[^']{1,64}' (?:\(\d{1,10}\) )?panicked(?= at )|[Ff]atal error(?=: )|(?:ASSERTION FAILED|Assertion failed)\b)/;
/** Exceptions that a program may survive: Python, Java, JavaScript and PHP, Go's HTTP server and gin, Rails, Elixir. */
const errorHead =
  /^(?:Traceback(?= \(most recent)|(?:Exception in thread|Uncaught|Unhandled)(?= )|Parse error(?=: )|(?:\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d )?(?:http: panic serving|\[Recovery\] .{1,40} panic recovered)|(?:[A-Z]\w{0,63}::){0,8}[A-Z]\w{0,63}(?:Error|Exception|NotFound|Invalid)(?= \(.*\):$)|\*\* \((?:[A-Z][\w.]{1,128}|exit|throw|EXIT[^)]{0,64})\)(?= ))/;
/** cart: cart.c:12: pay: Assertion `total > 0' failed. */
const assertion = /^[\w./-]{1,200}: \S{1,200}:\d{1,7}: .{1,200}: Assertion `.*' failed\.$/;
/** cart.rb:3:in 'Cart#total': divided by 0 (ZeroDivisionError) */
const rubyHead = /^[\w./@-]{1,200}\.rb:\d{1,7}:in [`'].{1,512} \((?:\w{1,64}::){0,8}\w{1,64}\)$/;

/** Tries a pattern only where something cheap to see speaks for it: this runs on every line. */
const placeHead = (head: string): LevelPlace | undefined => {
  const fatal = fatalHead.exec(head) ?? (head.endsWith(' failed.') ? assertion.exec(head) : null);
  const found =
    fatal ?? errorHead.exec(head) ?? (head.endsWith(')') && head.includes('.rb:') ? rubyHead.exec(head) : null);
  return found === null ? undefined : {level: fatal === null ? 'error' : 'fatal', start: 0, end: found[0].length};
};

const exceptionName = /(?:Error|Exception)$/;

/** Finds `java.lang.IllegalStateException: text` or `TypeError: text` at the start of a line. */
const findNamed = (head: string): LevelPlace | undefined => {
  const end = head.indexOf(': ');
  const name = end === -1 ? '' : head.slice(0, end);
  return !name.includes(' ') && exceptionName.test(name) ? {level: 'error', start: 0, end} : undefined;
};

/**
 * Finds the head of a trace that states no level otherwise: the name of an exception, `Traceback (most recent call
 * last):`, `Exception in thread`, `thread 'main' panicked at`.
 */
export const findException = (head: string): LevelPlace | undefined => placeHead(head) ?? findNamed(head);

/** Checks whether a line begins with the name of an exception: right below an error it belongs to that error. */
export const isNamedException = (text: string): boolean => findNamed(text) !== undefined;
