import {levelOfAccess} from './access-level.ts';
import {levelOfJson} from './json-level.ts';
import {levelOfLeadingWords} from './leading-level.ts';
import {type Level, levelOfSyslog, levelOfValue} from './level-words.ts';
import {isTraceLine} from './trace-line.ts';

export type {Level} from './level-words.ts';

const ranks: Readonly<Record<Level, number>> = {
  none: 0,
  trace: 1,
  debug: 2,
  info: 3,
  warn: 4,
  error: 5,
  fatal: 6,
};

/** Place of a level in their order: a higher number is more serious, `none` is 0 and below all. */
export const levelRank = (level: Level): number => ranks[level];

/** The level of a rank. */
export const levelOfRank = (rank: number): Level => levelsByRank[rank] ?? 'none';

const levelsByRank: readonly Level[] = ['none', 'trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** Where a line says its level, it says so early; more would make a long line cost more than drawing it. */
const headCharsMax = 512;

/** A status stands behind the request's address, a field of a record behind its message: both may be long. */
const recordCharsMax = 4096;

const sgr = /\x1b\[[\d;]*m/g;

const phpMessage =
  /\bPHP (?:(Fatal error|(?:Recoverable|Catchable) fatal error|Core error|Compile error)|(Parse error|User error)|((?:Core |Compile |User )?Warning|(?:User )?Deprecated)|((?:User )?Notice|Strict Standards)):/;
const phpLevels: readonly Level[] = ['fatal', 'error', 'warn', 'info'];

const field = /(?:^|[\s,{])(?:level|lvl|severity|log\.level|loglevel|log_level)="?([a-z]{3,13}|\d{1,3})(?=["\s,}]|$)/i;
const syslogPriority = /^<(\d{1,3})>/;
const klogHead = /^([IWEF])\d{4} \d\d:\d\d:\d\d/;
const klogLevels: Readonly<Record<string, Level>> = {I: 'info', W: 'warn', E: 'error', F: 'fatal'};
const exceptionHead =
  /^(?:Traceback \(most recent|Exception in thread |Uncaught |Unhandled |Fatal error: |Parse error: )/;
const exceptionName = /(?:Error|Exception)$/;

const levelOfPhp = (head: string): Level | undefined => {
  const match = head.includes('PHP ') ? phpMessage.exec(head) : null;
  return match ? phpLevels[match.slice(1).findIndex(group => group !== undefined)] : undefined;
};

const levelOfField = (head: string): Level | undefined => {
  const value = head.includes('=') ? field.exec(head)?.[1] : undefined;
  return value === undefined ? undefined : levelOfValue(value);
};

const levelOfSystemHead = (head: string): Level | undefined => {
  const priority = syslogPriority.exec(head)?.[1];
  if (priority !== undefined && Number(priority) <= 191) {
    return levelOfSyslog(Number(priority));
  }
  return klogLevels[klogHead.exec(head)?.[1] ?? ''];
};

/** `java.lang.IllegalStateException: text`, `TypeError: text`, `Traceback (most recent call last):` at the start of a line. */
const levelOfException = (head: string): Level | undefined => {
  if (exceptionHead.test(head)) {
    return head.startsWith('Fatal') ? 'fatal' : 'error';
  }
  const colon = head.indexOf(': ');
  const name = colon === -1 ? '' : head.slice(0, colon);
  return !name.includes(' ') && exceptionName.test(name) ? 'error' : undefined;
};

const withoutSgr = (text: string): string => (text.includes('\x1b') ? text.replace(sgr, '') : text);

/**
 * The level of a line's text as received (all after the timestamp and its space). It reads the formats of the application
 * server, the code editor and the web server, and the common ones beside them; a line that does not say is `none`, and so are the
 * further lines of a stack trace, because their level is that of their head. Cheap and bounded: it reads at most the first
 * 4,096 code units, and no pattern here can be made to backtrack.
 */
export const levelOf = (text: string): Level => {
  const record = withoutSgr(text.length > recordCharsMax ? text.slice(0, recordCharsMax) : text);
  const head = record.length > headCharsMax ? record.slice(0, headCharsMax) : record;
  if (head.startsWith('{')) {
    return levelOfJson(record) ?? 'none';
  }
  if (isTraceLine(head)) {
    return 'none';
  }
  // First what is exact: an access line may hold any word in its address, a PHP message stands inside a notice of PHP-FPM.
  return (
    levelOfAccess(record) ??
    levelOfPhp(head) ??
    levelOfSystemHead(head) ??
    levelOfField(head) ??
    levelOfException(head) ??
    levelOfLeadingWords(head) ??
    'none'
  );
};
