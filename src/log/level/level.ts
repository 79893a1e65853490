import {levelOfAccess} from './access-level.ts';
import {levelOfJson} from './json-level.ts';
import {findLeadingLevel, type LevelPlace} from './leading-level.ts';
import {type Level, levelOfSyslog, levelOfValue, levelsByRank} from './level-words.ts';
import {isTraceLine} from './trace-line.ts';

export type {Level} from './level-words.ts';

const ranks: ReadonlyMap<Level, number> = new Map(levelsByRank.map((level, rank) => [level, rank]));

/** Returns the rank of a level: a higher number is more serious, `none` is 0 and lowest. */
export const levelRank = (level: Level): number => ranks.get(level) ?? 0;

/** Returns the level of a rank. */
export const levelOfRank = (rank: number): Level => levelsByRank[rank] ?? 'none';

/** A line states its level early; reading more would make a long line cost more to classify than to draw. */
const headCharsMax = 512;

/** A status follows the request's address, a field of a record its message: both may be long. */
const recordCharsMax = 4096;

const sgr = /\x1b\[[\d;]*m/g;

const phpMessage =
  /\bPHP (?:(Fatal error|(?:Recoverable|Catchable) fatal error|Core error|Compile error)|(Parse error|User error)|((?:Core |Compile |User )?Warning|(?:User )?Deprecated)|((?:User )?Notice|Strict Standards))(?=:)/;
const phpLevels: readonly Level[] = ['fatal', 'error', 'warn', 'info'];

const field = /(?:^|[\s,{])(?:level|lvl|severity|log\.level|loglevel|log_level)="?([a-z]{3,13}|\d{1,3})(?=["\s,}]|$)/i;
const syslogPriority = /^<(\d{1,3})>/;
const klogHead = /^[IWEF](?=\d{4} \d\d:\d\d:\d\d)/;
const klogLevels: Readonly<Record<string, Level>> = {I: 'info', W: 'warn', E: 'error', F: 'fatal'};
const exceptionHead =
  /^(?:Traceback(?= \(most recent)|(?:Exception in thread|Uncaught|Unhandled)(?= )|(?:Fatal|Parse) error(?=: ))/;
const exceptionName = /(?:Error|Exception)$/;

/**
 * Wraps a level that comes from a field of the line (JSON, an access log, `level=error`): that field has a span of its
 * own.
 */
const inField = (level: Level | undefined): LevelPlace | undefined =>
  level === undefined ? undefined : {level, start: 0, end: 0};

const findPhp = (head: string): LevelPlace | undefined => {
  const match = head.includes('PHP ') ? phpMessage.exec(head) : null;
  const level = match ? phpLevels[match.slice(1).findIndex(group => group !== undefined)] : undefined;
  return match && level ? {level, start: match.index, end: match.index + match[0].length} : undefined;
};

const findField = (head: string): LevelPlace | undefined => {
  const value = head.includes('=') ? field.exec(head)?.[1] : undefined;
  return value === undefined ? undefined : inField(levelOfValue(value));
};

const findSystemHead = (head: string): LevelPlace | undefined => {
  const priority = syslogPriority.exec(head);
  if (priority && Number(priority[1]) <= 191) {
    return {level: levelOfSyslog(Number(priority[1])), start: 0, end: priority[0].length};
  }
  const level = klogLevels[klogHead.exec(head)?.[0] ?? ''];
  return level && {level, start: 0, end: 1};
};

/**
 * Finds `java.lang.IllegalStateException: text`, `TypeError: text` or `Traceback (most recent call last):` at the start
 * of a line.
 */
const findException = (head: string): LevelPlace | undefined => {
  const known = exceptionHead.exec(head)?.[0];
  if (known !== undefined) {
    return {level: known.startsWith('Fatal') ? 'fatal' : 'error', start: 0, end: known.length};
  }
  const end = head.indexOf(': ');
  const name = end === -1 ? '' : head.slice(0, end);
  return !name.includes(' ') && exceptionName.test(name) ? {level: 'error', start: 0, end} : undefined;
};

const withoutSgr = (text: string): string => (text.includes('\x1b') ? text.replace(sgr, '') : text);

/**
 * Finds the level of a line's text as received (everything after the timestamp and its space), and the word that states
 * it; `end` is 0 if a field of the line states it. Offsets count code units of the text without SGR sequences. Reads
 * the formats of the application server, the code editor and the web server, and other common ones. Returns undefined
 * if the line states no level, and for the further lines of a stack trace, which have the level of their first line.
 * Reads at most the first 4,096 code units, and no pattern here can be made to backtrack.
 */
export const findLevel = (text: string): LevelPlace | undefined => {
  const record = withoutSgr(text.length > recordCharsMax ? text.slice(0, recordCharsMax) : text);
  const head = record.length > headCharsMax ? record.slice(0, headCharsMax) : record;
  if (head.startsWith('{')) {
    return inField(levelOfJson(record));
  }
  if (isTraceLine(head)) {
    return undefined;
  }
  // Exact formats first: an access line may have any word in its address, and PHP-FPM wraps a PHP message in a notice.
  return (
    inField(levelOfAccess(record)) ??
    findPhp(head) ??
    findSystemHead(head) ??
    findField(head) ??
    findException(head) ??
    findLeadingLevel(head)
  );
};

/** Returns the level that `findLevel` finds, or `none`. */
export const levelOf = (text: string): Level => findLevel(text)?.level ?? 'none';
