import {fieldOfKey} from '../fields/field-keys.ts';
import {findTimeEnd} from '../fields/find-time.ts';
import {type Level, levelOfValue} from '../level/level-words.ts';
import {sanitiseWord} from '../text/sanitise.ts';
import {isShownLevel, type LaidGround, showBehind} from './laid-ground.ts';
import type {LaidRow} from './laid-row.ts';
import {layOutRequest} from './lay-out-request.ts';
import type {LaidField, LaidRecord} from './read-fields.ts';
import {findRequestFields} from './request-fields.ts';
import {isSameTime} from './same-time.ts';

/**
 * Fields that hold the message; the first one present wins: pino, zap, GELF, structlog, Docker, Google Cloud, Serilog.
 */
const messageKeys: readonly string[] = ['message', 'msg', 'short_message', 'textPayload', '@m', '@mt', 'event', 'log'];

const valueCharsMax = 200;

/** No screen shows a longer row; fields beyond it are only counted. */
const rowCharsMax = 8192;

/** A value with one of these in it is quoted, so that its end is visible. */
const needsQuotes = /[\s"=]|^$/;

/** A number at least this large is a time since 1970, in seconds or finer. */
const epochSecondsMin = 1_000_000_000;

const isTime = ({key, value}: LaidField): boolean =>
  fieldOfKey(key.text) === 'time' && (findTimeEnd(value.text, 0, true) !== -1 || Number(value.text) >= epochSecondsMin);

const findMessage = (fields: readonly LaidField[]): LaidField | undefined => {
  for (const key of messageKeys) {
    const field = fields.find(candidate => candidate.key.text === key);
    if (field?.isText && field.value.text.trim() !== '') {
      return field;
    }
  }
  return undefined;
};

const levelOfField = ({key, value}: LaidField): Level | undefined =>
  fieldOfKey(key.text) === 'level' ? levelOfValue(value.text) : undefined;

/** Monolog nests what is said under `context` and `extra`; the words alone say it. */
const isMonolog = (fields: readonly LaidField[]): boolean => fields.some(({key}) => key.text === 'level_name');
const monologNest = /^(?:context|extra)\./;

const showField = (row: LaidRow, {key, value, isText}: LaidField, isQuiet: boolean): void => {
  row.show(key, isQuiet);
  const text = sanitiseWord(value.text, valueCharsMax);
  const isQuoted = isText && needsQuotes.test(text);
  row.add(isQuoted ? '="' : '=');
  row.show({...value, text: isQuoted ? text.replaceAll('"', '\\"') : text}, isQuiet);
  if (isQuoted) {
    row.add('"');
  }
};

/**
 * Adds a record to a row that may begin with a text: a request in columns if it is one, the message, then the other
 * fields in order as `key=value`, nested ones with dotted names. The level and the first time are left out if they
 * stand beside the row. Numbers stay as written.
 */
export const layOutRecord = (row: LaidRow, ground: LaidGround, {fields, moreFields}: LaidRecord): void => {
  const leveled = fields.find(field => levelOfField(field) !== undefined);
  const level = leveled && levelOfField(leveled);
  // Many records state it as a number and as a word.
  const levels = level === undefined ? [] : fields.filter(field => levelOfField(field) === level);
  const message = findMessage(fields);
  const time = fields.find(isTime);
  const request = findRequestFields(ground.received, fields);
  const hasLead = row.length() > 0;
  const used = new Set<LaidField | undefined>([message, ...levels, ...(request?.used ?? [])]);
  if (time !== undefined && ground.at !== undefined && isSameTime(time.value.text, ground.at)) {
    used.add(time);
  }
  if (request !== undefined) {
    layOutRequest(row, request.parts, ground.columns);
  }
  if (message !== undefined) {
    row.addGap(request === undefined ? 1 : 2);
    row.show(message.value);
  }
  if (leveled !== undefined && level !== undefined && !isShownLevel(level, ground)) {
    showBehind(row, /^\d/.test(leveled.value.text) ? {...leveled.value, text: level.toUpperCase()} : leveled.value);
  }
  const isQuiet = hasLead || request !== undefined || message !== undefined;
  let more = moreFields;
  let gap = 2;
  const nest = isMonolog(fields) ? monologNest : '';
  for (const field of fields.filter(each => !used.has(each))) {
    if (row.length() > rowCharsMax) {
      more += 1;
      continue;
    }
    row.addGap(gap);
    showField(row, {...field, key: {...field.key, text: field.key.text.replace(nest, '')}}, isQuiet);
    gap = 1;
  }
  if (more > 0) {
    row.addGap(1);
    row.add(`… ${more} more`);
  }
};
