import {type Level, levelOfStatus, levelOfSyslog, levelRank} from '#log/tokens/level-words.ts';
import {findTellingForm, levelOfForm, placeParts, readHead} from './find-form.ts';
import type {LevelPlace} from './form.ts';
import {isAndroidFrame} from './formats/system/android.ts';
import {levelOfSystem, messageOfSyslog} from './formats/system/system-level.ts';
import {levelOfCrash} from './formats/traces/crash.ts';
import {isTraceLine} from './formats/traces/trace-line.ts';
import {accessStatus} from './formats/web/access.ts';
import {findLeadingLevel} from './leading-level.ts';
import {levelOfRecord} from './record-parts.ts';
import {findException} from './traces.ts';
import {levelOfField, partOfName} from './vocabulary.ts';

/** A line states its level early; reading more would make a long line cost more to classify than to draw. */
const headCharsMax = 512;

/** A status follows the request's address, a field of a record its message: both may be long. */
const recordCharsMax = 4096;

const sgr = /\x1b\[[\d;]*m/g;

/** Returns a text without the sequences that colour it. */
export const withoutSgr = (text: string): string => (text.includes('\x1b') ? text.replace(sgr, '') : text);

/** Wraps a level that a field of the line states, which has a span of its own. */
const inField = (level: Level | undefined): LevelPlace | undefined =>
  level === undefined ? undefined : {level, start: 0, end: 0};

const phpKind =
  /\bPHP (?:((?:Recoverable |Catchable )?fatal error|(?:Core|Compile) error)|((?:Parse|User) error)|((?:Core |Compile |User )?Warning|(?:User )?Deprecated)|((?:User )?Notice|Strict Standards))(?=:)/i;
const phpLevels: readonly Level[] = ['fatal', 'error', 'warn', 'info'];

const findPhp = (head: string): LevelPlace | undefined => {
  const match = head.includes('PHP ') ? phpKind.exec(head) : null;
  const level = match ? phpLevels[match.slice(1).findIndex(found => found !== undefined)] : undefined;
  return match && level ? {level, start: match.index, end: match.index + match[0].length} : undefined;
};

const field = /(?:^|[\s,{])([ls@][\w.-]{1,15})="?([a-z]{3,13}(?:[+-]\d{1,2})?|\d{1,3})(?=["\s,}]|$)/gi;

const findField = (head: string): LevelPlace | undefined => {
  field.lastIndex = 0;
  for (let match = head.includes('=') ? field.exec(head) : null; match !== null; match = field.exec(head)) {
    const [, name = '', value = ''] = match;
    const part = partOfName(name);
    if (part === 'level' || part === 'severityNumber') {
      return inField(levelOfField(part, value));
    }
  }
  return undefined;
};

const syslogPriority = /^<(\d{1,3})>/;

const findPriority = (head: string): LevelPlace | undefined => {
  const priority = head.startsWith('<') ? syslogPriority.exec(head) : null;
  return priority && Number(priority[1]) <= 191
    ? {level: levelOfSyslog(Number(priority[1])), start: 0, end: priority[0].length}
    : undefined;
};

/** Finds the level that the line states in words, else the one that its message means. */
const findSaid = (head: string): LevelPlace | undefined =>
  findPhp(head) ??
  findPriority(head) ??
  findField(head) ??
  findException(head) ??
  findLeadingLevel(head) ??
  inField(levelOfSystem(head) ?? levelOfCrash(head) ?? levelOfMessage(head));

/** Returns the level that a program's own format tells after the head of the syslog daemon: klog of the kubelet. */
const levelOfMessage = (head: string): Level | undefined => {
  const message = messageOfSyslog(head);
  return message === undefined ? undefined : readLevel(message, false)?.level;
};

// Only with a method and a path, so that a job's status is not taken for a request's.
const pairedMethod = /(?:^|\s)method="?[A-Z]{3,16}"?\s/;
const pairedPath = /(?:^|\s)(?:path|uri|url)="?\//;
const pairedStatus = /(?:^|\s)status="?([1-5]\d\d)"?(?:\s|$)/;

/** Returns the level of a request that lograge or Heroku's router report. */
const levelOfPairs = (text: string): Level | undefined => {
  const isRequest = text.includes('status=') && pairedMethod.test(text) && pairedPath.test(text);
  const status = isRequest ? pairedStatus.exec(text)?.[1] : undefined;
  return status === undefined ? undefined : levelOfStatus(Number(status));
};

/**
 * The most that a container's log, or a time, a host and a program, put before a record; with more, that text is the
 * message and the record only its context.
 */
export const recordHeadCharsMax = 64;

/** What Compose, `kubectl logs --prefix` and stern put before a line, and what a container's runtime does. */
const sourceHead =
  /^(?:[\w.-]{1,64} {1,64}\||\[[\w./-]{1,64}\]|\d{4}-\S{16,32} std(?:out|err) [FP]|(?=\S*[\d-])[\w.-]{1,64} [\w.-]{1,64}) $/;

/**
 * Returns the level of a JSON record after only a time, after the name of who wrote it, or after a head that ends with
 * a colon and states no level.
 */
const levelOfHeadedRecord = (text: string): Level | undefined => {
  const start = text.indexOf('{"');
  const before = text[start - 1];
  if (start < 1 || start > recordHeadCharsMax || (before !== ' ' && before !== ']')) {
    return undefined;
  }
  const isHeaded =
    before === ']' ||
    readHead(text).next === start ||
    sourceHead.test(text.slice(0, start)) ||
    (text[start - 2] === ':' && findLeadingLevel(text.slice(0, start)) === undefined);
  return isHeaded ? levelOfRecord(text.slice(start)) : undefined;
};

const readLevel = (text: string, isPlaced: boolean): LevelPlace | undefined => {
  const record = withoutSgr(text.length > recordCharsMax ? text.slice(0, recordCharsMax) : text);
  if (record.startsWith('{')) {
    return inField(levelOfRecord(record));
  }
  const recorded = levelOfHeadedRecord(record);
  if (recorded !== undefined) {
    return inField(recorded);
  }
  // Exact forms first: an access line may have any word in its address.
  const status = record.includes('"') ? accessStatus.exec(record)?.[1] : undefined;
  if (status !== undefined) {
    return inField(levelOfStatus(Number(status)));
  }
  const told = findTellingForm(record);
  const level = told && levelOfForm(told);
  if (told?.texts.level !== undefined && told.texts.status === undefined) {
    const place = isPlaced ? placeParts(told, record).level : undefined;
    return level === undefined || isAndroidFrame(record) ? undefined : {start: 0, end: 0, ...place, level};
  }
  if (told !== undefined && told.texts.message === undefined) {
    return inField(level);
  }
  const head = record.length > headCharsMax ? record.slice(0, headCharsMax) : record;
  if (isTraceLine(head)) {
    return undefined;
  }
  // A framework logs every request at one level: a failed one is worse than that.
  const said = findSaid(head);
  const answered = level ?? levelOfPairs(record);
  return answered !== undefined && levelRank(answered) > levelRank(said?.level ?? 'none') ? inField(answered) : said;
};

/**
 * Finds the level of a line's text as received (everything after the timestamp and its space), and the word that states
 * it; `end` is 0 if a field of the line states it. Offsets count code units of the text without SGR sequences. Returns
 * undefined if the line states no level, and for the further lines of a stack trace, which have the level of their
 * first line. Reads at most the first 4,096 code units, and no pattern here can be made to backtrack.
 */
export const findLevel = (text: string): LevelPlace | undefined => readLevel(text, true);

/** Returns the level that `findLevel` finds, or `none`. */
export const levelOf = (text: string): Level => readLevel(text, false)?.level ?? 'none';
