import {fieldOfKey} from '../fields/field-keys.ts';
import {createFieldCollector, type FieldSpan, severityOfLevel} from '../fields/field-span.ts';
import {findFields} from '../fields/find-fields.ts';
import {findTimeEnd} from '../fields/find-time.ts';
import {addRecordValue} from '../fields/record-value.ts';
import {type Level, levelOfValue} from '../level/level-words.ts';
import {sanitise, sanitiseWord} from '../text/sanitise.ts';
import {decodeJsonString} from './find-record.ts';
import {type JsonField, type JsonRecord, readRecord} from './read-record.ts';

/** A line as shown: safe text, and its fields as `findFields` gives them. */
export type FormattedRow = {readonly text: string; readonly spans: readonly FieldSpan[]};

/**
 * Fields that hold the message; the first one present wins: pino, zap, GELF, structlog, Docker, Google Cloud, Serilog.
 */
const messageKeys: readonly string[] = ['message', 'msg', 'short_message', 'textPayload', '@m', '@mt', 'event', 'log'];

const messageCharsMax = 4096;
const valueCharsMax = 200;

/** No screen shows a longer row; fields beyond it are only counted. */
const rowCharsMax = 8192;

/** The length of the longest of `trace` to `fatal`, so that messages are aligned. */
const levelChars = 5;

/** A value with one of these in it is quoted, so that its end is visible. */
const needsQuotes = /[\s"=]|^$/;

/** A number at least this large is a time since 1970, in seconds or finer. */
const epochSecondsMin = 1_000_000_000;

const isString = (text: string, {start}: JsonField): boolean => text[start] === '"';

const readValue = (text: string, field: JsonField): string => {
  const token = text.slice(field.start, field.end);
  return isString(text, field) ? decodeJsonString(token) : token;
};

const isTime = (text: string, field: JsonField): boolean => {
  if (fieldOfKey(field.key) !== 'time') {
    return false;
  }
  const value = readValue(text, field);
  return findTimeEnd(value, 0, true) !== -1 || Number(value) >= epochSecondsMin;
};

const findMessage = (text: string, {fields}: JsonRecord): JsonField | undefined => {
  for (const key of messageKeys) {
    const field = fields.find(candidate => candidate.key === key);
    if (field && isString(text, field) && field.end - field.start > 2) {
      return field;
    }
  }
  return undefined;
};

/** Finds the field that states the level, and the level. */
const findLevelField = (text: string, {fields}: JsonRecord): {field: JsonField; level: Level} | undefined => {
  for (const field of fields) {
    const level = fieldOfKey(field.key) === 'level' ? levelOfValue(readValue(text, field)) : undefined;
    if (level !== undefined) {
      return {field, level};
    }
  }
  return undefined;
};

/** Formats a value for a row: bare, or quoted if its end would not be visible. */
const showValue = (text: string, field: JsonField): string => {
  const value = sanitiseWord(readValue(text, field), valueCharsMax);
  return isString(text, field) && needsQuotes.test(value) ? `"${value.replaceAll('"', '\\"')}"` : value;
};

/**
 * Formats a line with a JSON record as one readable row: the text before the record, the level, the message, then the
 * other fields in order as `key=value`, nested ones with dotted names, long values cut at 200. The first field that
 * holds the time is left out, since the row already has its timestamp. Numbers stay as written. Returns undefined if
 * the line holds no such record (`readRecord`). Takes the text as received; the row is safe, and sanitising it again
 * changes nothing.
 */
export const formatJsonRow = (text: string): FormattedRow | undefined => {
  const record = readRecord(text);
  if (record === undefined) {
    return undefined;
  }
  const prefix = sanitise(text.slice(0, record.start));
  const level = findLevelField(text, record);
  const message = findMessage(text, record);
  const time = record.fields.find(field => isTime(text, field));
  const spans = createFieldCollector();
  let row = prefix;
  if (level) {
    const word = level.level.toUpperCase();
    row += word.padEnd(levelChars);
    spans.add('level', prefix.length, prefix.length + word.length, severityOfLevel(level.level));
  }
  const join = (): string => (row === '' || row.endsWith(' ') ? row : `${row} `);
  if (message) {
    row = (level ? `${row} ` : row) + sanitiseWord(readValue(text, message).trimEnd(), messageCharsMax);
  }
  let {moreFields} = record;
  for (const field of record.fields) {
    if (field === level?.field || field === message || field === time) {
      continue;
    }
    if (row.length > rowCharsMax) {
      moreFields += 1;
      continue;
    }
    const key = sanitiseWord(field.key, valueCharsMax);
    const value = showValue(text, field);
    row = join();
    const start = row.length;
    row += `${key}=${value}`;
    spans.add('key', start, start + key.length);
    const known = fieldOfKey(field.key);
    if (known !== undefined) {
      addRecordValue(spans, known, row, start + key.length + 1, row.length);
    }
  }
  if (moreFields > 0) {
    row = `${join()}… ${moreFields} more`;
  }
  return {text: row, spans: prefix === '' ? spans.spans : [...findFields(prefix), ...spans.spans]};
};
