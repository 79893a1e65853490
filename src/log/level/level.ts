import {levelOfAccess} from './access-level.ts';
import {findAndroidHead, isAndroidFrame} from './android-level.ts';
import {findException} from './exception.ts';
import {levelOfJson} from './json-level.ts';
import {findLeadingLevel, type LevelPlace} from './leading-level.ts';
import {type Level, levelOfSyslog, levelOfValue, levelsByRank} from './level-words.ts';
import {levelOfRequest} from './request-level.ts';
import {levelOfSystem} from './system-level.ts';
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

const field =
  /(?:^|[\s,{])(?:level|lvl|severity|severity_?text|log[._-]?level|level_?name)="?([a-z]{3,13}|\d{1,3})(?=["\s,}]|$)/i;
const syslogPriority = /^<(\d{1,3})>/;
const klogHead = /^[IWEF](?=\d{4} \d\d:\d\d:\d\d)/;
const klogLevels: Readonly<Record<string, Level>> = {I: 'info', W: 'warn', E: 'error', F: 'fatal'};
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

/** Finds the level that the line states in words, else the one that its message means. */
const findSaid = (head: string): LevelPlace | undefined =>
  findPhp(head) ??
  findSystemHead(head) ??
  findField(head) ??
  findException(head) ??
  findLeadingLevel(head) ??
  inField(levelOfSystem(head));

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
  const android = findAndroidHead(head);
  if (android !== undefined) {
    const {level, letter} = android;
    return isAndroidFrame(head) ? undefined : {level, start: letter, end: letter + 1};
  }
  if (isTraceLine(head)) {
    return undefined;
  }
  // Exact formats first: an access line may have any word in its address.
  const access = inField(levelOfAccess(record));
  if (access !== undefined) {
    return access;
  }
  // A framework logs every request at one level: a failed one is worse than that.
  const said = findSaid(head);
  const request = levelOfRequest(record);
  return request !== undefined && levelRank(request) > levelRank(said?.level ?? 'none') ? inField(request) : said;
};

/** Returns the level that `findLevel` finds, or `none`. */
export const levelOf = (text: string): Level => findLevel(text)?.level ?? 'none';
