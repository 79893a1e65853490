import {type Level, levelOfStatus, levelOfSyslog, levelOfWord, levelRank} from '#log/tokens/level-words.ts';
import {findTellingForm, levelOfForm, placeParts, readHead} from './find-form.ts';
import type {LevelPlace} from './form.ts';
import {isAndroidFrame} from './formats/system/android.ts';
import {levelOfSystem, messageOfSyslog} from './formats/system/system-level.ts';
import {accessStatus} from './formats/web/access.ts';
import {levelOfRecord} from './record-parts.ts';
import {findException, isTraceLine, levelOfCrash} from './traces.ts';
import {levelOfField, partOfName} from './vocabulary.ts';

/**
 * A date in brackets is five words; a host, a process, a thread and a logger may follow; after that comes the message.
 */
const leadingTokensMax = 10;

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0;

/** The first word of a token, after opening signs and the names of a dotted logger. */
const firstWord = /^[[({<|*"'.]*(?:[A-Za-z]{1,64}\.){0,8}([A-Za-z]{3,13}\d?)(?![A-Za-z])/;
/** `[core:error]`, `[WARN]`, `[ERROR][66]`, `|INFO|`, `<warn>`, in any case */
const bracketed = /^(?:\[(?:[^\]]*:)?|\|(?:.*:)?|<)([A-Za-z]{3,13})(?:\](?:\[.*\])?:?|[|>])$/;
const closers = /^[\])}>|*:!,;"'-]*$/;
/** The endings of a level in upper case: `ERROR:root:text`, `ERROR|…`, logrus' `ERRO[0001]`, celery's `ERROR/Main]` */
const afterUpper = /^(?:[+-]\d{1,2})?(?:[:|]|\[\d|\/.*\]$|[\])}>|*:!,;"'-]*$)/;
/** Or the last word of one: `[14:02:11]`, `[2026-11-21 14:02:11 +0000]` */
const bracketedTime = /^(?:\[\d.*|\d\d:\d\d:\d\d[.,\d]*|[+-]\d\d:?\d\d)\]$/;
const headEnd = /[\]:|\dZ-]$/;
// Words of a sentence: after one of them, an upper-case level is mentioned, not declared.
const sentenceWord = /^(?:a|an|and|any|as|at|for|if|in|is|no|non|not|of|on|or|the|to|was|with|without|zero|0)$/i;

/** Checks whether a token of any case is a label: by its colon, or because some loggers put their level there. */
const isLabel = (text: string, start: number, end: number, previous: string): boolean =>
  (text[end - 1] === ':' && (previous === '' || text[start - 1] === '\t' || headEnd.test(previous))) ||
  (previous.endsWith(']') && bracketedTime.test(previous)) ||
  // A TAB, or the spaces that it is in sanitised text, on both sides
  (text[start - 1] === '\t' && text[end] === '\t') ||
  (text.startsWith('  ', start - 2) && text.startsWith('  ', end) && /[\dZ]$/.test(previous));

/** Checks for NetworkManager's `<warn>`: at the start of a line, or among words, it is an element of XML. */
const isAfterProgram = (last: string | undefined, previous: string): boolean => last === '>' && headEnd.test(previous);

const placeOf = (word: string, start: number): LevelPlace | undefined => {
  const level = levelOfWord(word);
  return level && {level, start, end: start + word.length};
};

const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;

/**
 * A level between separators: `[error    ]`, `util.py[WARNING]:`, `][info][gc]`, `| Warn |` in any case; between colons
 * or commas only in upper case, as words between colons are those of a path: `02,123:ERROR:logger:`, `,0,FATAL,53300,`;
 * between dashes after a time: `09:00:01Z - error - `.
 */
const separated =
  /(?<=(?:^|\S)[[|])([A-Za-z]{3,13})(?=\](?:[:[\s{]|$)|\|)|(?<=[[|]) ?([A-Za-z]{3,13}) {1,8}(?=\]|\|)|(?<=\w[:,])([A-Z]{3,13})(?=[:,])|(?<=:\d\d[\d.,]{0,10}Z? - )([A-Za-z]{3,13})(?= - )/g;
/** No separator stands further in. */
const separatedCharsMax = 160;

/** Finds a level between separators in the head of a line, up to the first one that is none. */
const findSeparated = (text: string): LevelPlace | undefined => {
  const head = text.length > separatedCharsMax ? text.slice(0, separatedCharsMax) : text;
  separated.lastIndex = 0;
  for (let match = separated.exec(head); match !== null; match = separated.exec(head)) {
    const word = match[1] ?? match[2] ?? match[3] ?? match[4] ?? '';
    const place = placeOf(word, match.index + match[0].indexOf(word));
    if (place !== undefined) {
      return place;
    }
  }
  return undefined;
};

/**
 * A letter after the time, in brackets or before a bar (`E |`), a sign (`E!`) or a component (`E STORAGE  [`); a sign
 * after the message of which a mail server speaks (`1tDabc-0001AB-2C ** user@…`).
 */
const letterAfterTime =
  /^\[?\d[\d:.,TZ/+ -]{7,40}\]? ?(?:\[?([TDINWECF])(?=\][ [:]|! | \| | [A-Z]{2,16} +\[)|(?:\[\d{1,10}\] )?\w{6}-\w{6,11}-\w{2,4} (\*\*|==)(?= \S))/;
/** A line without any of these has no such letter. */
const lettersSurroundings = ['[', ' | ', '! ', ' ** ', ' == '];
const letters: Readonly<Record<string, string>> = {
  ...{T: 'trace', D: 'debug', I: 'info', N: 'notice', W: 'warn', E: 'error', C: 'critical', F: 'fatal'},
  ...{'**': 'error', '==': 'warn'},
};

/** Finds the word that states a level in the token from `start` to `end`. */
const findInToken = (text: string, start: number, end: number, previous: string): LevelPlace | undefined => {
  const [first, last] = [text[start], text[end - 1]];
  if (first !== undefined && first >= '0' && first <= '9') {
    return undefined;
  }
  const isEnclosed =
    first === '['
      ? last === ']' || text.startsWith(']:', end - 2)
      : first === '|'
        ? last === '|'
        : first === '<' && isAfterProgram(last, previous);
  const enclosed = isEnclosed ? bracketed.exec(text.slice(start, end))?.[1] : undefined;
  const place = enclosed && placeOf(enclosed, text.indexOf(`${enclosed}${first === '[' ? ']' : last}`, start));
  if (place) {
    return place;
  }
  // Most tokens are words of a message, in lower case.
  const mayBeLabel = isLabel(text, start, end, previous);
  if (!mayBeLabel && first !== undefined && first >= 'a' && first <= 'z' && last !== ':') {
    return undefined;
  }
  const said = text.slice(start, end);
  const [lead = '', word = ''] = firstWord.exec(said) ?? [];
  const isStated = isUpper(word.charCodeAt(0)) && isUpper(word.charCodeAt(1)) && word === word.toUpperCase();
  const found =
    isStated || (mayBeLabel && lead === word) ? placeOf(word, start + lead.length - word.length) : undefined;
  if (found === undefined) {
    return undefined;
  }
  const after = said.slice(lead.length);
  return (isStated &&
    (last === ':' || !lead.includes('.')) &&
    afterUpper.test(after) &&
    !sentenceWord.test(previous)) ||
    (mayBeLabel && lead === word && closers.test(after))
    ? found
    : undefined;
};

/** Elasticsearch: [2026-11-21T14:02:11,031][WARN ][o.e.c.r.a.DiskThresholdMonitor] … */
const adjoining = /^(\[\d[\d:T ,.Z+-]{18,34}\]\[)([A-Z]{4,5}) ?\]\[/;

/**
 * Finds the level word in the leading part of a line, before its message: in brackets (nginx, Apache, gunicorn), in
 * upper case (log4j, logback, PostgreSQL, PHP-FPM, Monolog, Python), as a label at the start or after the head
 * (`error:`), after a time in brackets (code-server) or between tabs (zap). Returns undefined if there is none: "no
 * error" and "errors=0" are words of a message.
 */
export const findLeadingLevel = (text: string): LevelPlace | undefined =>
  findByToken(text) ?? findSeparated(text) ?? findLetter(text);

const findLetter = (text: string): LevelPlace | undefined => {
  const mayHave = lettersSurroundings.some(sign => text.includes(sign));
  const [head = '', letter = '', sign = letter] = (mayHave ? letterAfterTime.exec(text) : null) ?? [];
  const level = levelOfWord(letters[sign] ?? '');
  return level && {level, start: head.length - sign.length, end: head.length};
};

const findByToken = (text: string): LevelPlace | undefined => {
  const [, before = '', adjoined = ''] = (text.startsWith('[') ? adjoining.exec(text) : null) ?? [];
  const level = levelOfWord(adjoined);
  if (level !== undefined) {
    return {level, start: before.length, end: before.length + adjoined.length};
  }
  let previous = '';
  let index = 0;
  for (let count = 0; count < leadingTokensMax; count += 1) {
    while (isBlank(text.charCodeAt(index))) {
      index += 1;
    }
    const start = index;
    while (index < text.length && !isBlank(text.charCodeAt(index))) {
      index += 1;
    }
    const place = start === index ? undefined : findInToken(text, start, index, previous);
    if (place !== undefined || index === text.length) {
      return place;
    }
    const said = text.slice(start, index);
    // A number after another one is a process: HDFS has one that is 0.
    previous = said === '0' && /^\d/.test(previous) ? '' : said;
  }
  return undefined;
};

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

/** The prefixes of Compose, `kubectl logs --prefix`, stern, and container runtimes. */
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
