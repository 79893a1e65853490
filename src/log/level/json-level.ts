import {beforeNames, type JsonName, moveToNextName} from '../record/next-name.ts';
import {levelOfStatus} from './access-level.ts';
import {type Level, levelOfValue, worseLevel} from './level-words.ts';

/**
 * Fields that hold a level, in any case: pino, bunyan, zap, logrus, Monolog, ECS (flat), Google Cloud, OpenTelemetry,
 * .NET, Serilog's compact format.
 */
const levelKey = /(?:level(?:[._-]?name)?|lvl|severity(?:[._-]?text)?|log[._-]?level|@l)"/iy;

/** What servers call the status of a request, its method, and its path or its first line. */
const requestKey =
  /(?:((?:(?:http[._-]?)?(?:response[._-]?)?|downstream)status(?:[._-]?code)?|response[._-]?code)|((?:(?:http[._-]?)?request[._-]?|http[._-])?method|verb)|(?:(?:request|http|url)[._-]?)?(?:path|uri|url|target)|request|url\.original)"/iy;

const scalar = /"([^"\\]{1,16})"|(\d{1,3})(?=[\s,}])/y;

/** The path of a request that came in: one that goes out has the whole address. */
const path = /"(?:\/|([A-Z]{3,16}) [/*])/y;

/** Datadog and others put the level into `status`; the words of other statuses (`success`, `fail`) are not levels. */
const statusWord = /^(?:emerg|emergency|alert|critical|error|err|warn|warning|notice|info|debug)$/i;

const readScalar = (text: string, index: number): string => {
  scalar.lastIndex = index;
  const [, word, number] = scalar.exec(text) ?? [];
  return word ?? number ?? '';
};

const testAt = (pattern: RegExp, text: string, index: number): boolean => {
  pattern.lastIndex = index;
  return pattern.test(text);
};

/** `l`, `s`, `L`, `S` and `@` begin the name of a level. */
const mayNameLevel = (code: number): boolean => (code | 0x20) === 0x6c || (code | 0x20) === 0x73 || code === 0x40;

/** What a record says of a request: it reports one only if all three are there. */
type RequestParts = {status: number; hasMethod: boolean; hasPath: boolean};

const readRequestPart = (parts: RequestParts, text: string, {start, end, depth, valueStart}: JsonName): void => {
  requestKey.lastIndex = start;
  const found = requestKey.exec(text);
  if (found === null) {
    return;
  }
  if (found[1] !== undefined) {
    // Deeper in a record, a bare `status` is that of something else.
    const status = depth === 1 || end - start > 'status'.length ? Number(readScalar(text, valueStart)) : 0;
    parts.status = status >= 100 && status <= 599 ? status : parts.status;
  } else if (found[2] !== undefined) {
    parts.hasMethod = true;
  } else {
    path.lastIndex = valueStart;
    const value = path.exec(text);
    parts.hasPath ||= value !== null;
    parts.hasMethod ||= value?.[1] !== undefined;
  }
};

/** MongoDB: {"t":{"$date":"2026-11-21T14:02:11.031+00:00"},"s":"E", "c":"NETWORK", … */
const mongo = /^\{"t": ?\{"\$date": ?"[^"]{20,35}"\}, ?"s": ?"([FEWID])\d?"/;
const mongoLevels: Readonly<Record<string, Level>> = {F: 'fatal', E: 'error', W: 'warn', I: 'info', D: 'debug'};

/**
 * Returns the level of a JSON record: the level that a field of its outermost object or ECS's nested `log.level`
 * states, or that of the status of the request that it reports, whichever is worse; undefined if there is neither.
 * Works on truncated records too; ignores a level in the text of a message or deeper in the record.
 */
export const levelOfJson = (text: string): Level | undefined => {
  if (text.startsWith('{"t"')) {
    const letter = mongo.exec(text)?.[1];
    if (letter !== undefined) {
      return mongoLevels[letter];
    }
  }
  // Without a status there is nothing to read behind the level.
  const mayBeRequest = text.includes('tatus');
  const request: RequestParts = {status: 0, hasMethod: false, hasPath: false};
  const name = beforeNames();
  let stated: Level | undefined;
  let statusLevel: Level | undefined;
  let isInLogObject = false;
  while (moveToNextName(text, name)) {
    const {start, depth, valueStart} = name;
    isInLogObject &&= depth > 1;
    if (stated === undefined && depth <= 2 && mayNameLevel(text.charCodeAt(start))) {
      const isLevel = depth === 1 ? testAt(levelKey, text, start) : isInLogObject && text.startsWith('level"', start);
      if (isLevel) {
        stated = levelOfValue(readScalar(text, valueStart));
      } else if (depth === 1 && text.startsWith('log"', start)) {
        isInLogObject = text.startsWith('{', valueStart);
      } else if (depth === 1 && text.startsWith('status"', start)) {
        const word = readScalar(text, valueStart);
        statusLevel = statusWord.test(word) ? levelOfValue(word) : undefined;
      }
    }
    if (mayBeRequest && depth <= 2) {
      readRequestPart(request, text, name);
    } else if (stated !== undefined && !mayBeRequest) {
      return stated;
    }
  }
  const answered =
    request.hasMethod && request.hasPath && request.status > 0 ? levelOfStatus(request.status) : undefined;
  return worseLevel(stated ?? statusLevel, answered);
};
