import type {LevelPlace} from './form.ts';

/** What a program says before it ends: Rust, PHP, C. */
const fatalHead =
  /^(?:thread '[^']{1,64}' (?:\(\d{1,10}\) )?panicked(?= at )|[Ff]atal error(?=: )|(?:ASSERTION FAILED|Assertion failed)\b)/;
/** What it may survive: Python, Java, JavaScript and PHP, Go's HTTP server and gin, Rails, Elixir. */
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

/** Checks whether a line begins with the name of an exception: right below an error it tells of that error. */
export const isNamedException = (text: string): boolean => findNamed(text) !== undefined;
