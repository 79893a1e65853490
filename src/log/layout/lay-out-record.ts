import type {Reading} from '../reading/reading.ts';
import {findTimeEnd} from '../reading/tokens/find-time.ts';
import {levelOfField, messageRank, type PartName, partOfName} from '../reading/vocabulary.ts';
import {sanitiseWord} from '../text/sanitise.ts';
import type {LaidRow} from './laid-row.ts';
import {layOutRequest, type RequestParts, requestPartsOf} from './lay-out-request.ts';
import {isShownLevel, type LayoutContext, showAfter} from './layout-context.ts';
import type {LaidField, LaidRecord} from './read-record.ts';
import {isSameTime} from './same-time.ts';

const valueCharsMax = 200;

/** No screen shows a longer row; fields beyond it are only counted. */
const rowCharsMax = 8192;

/** A value with one of these in it is quoted, so that its end is visible. */
const needsQuotes = /[\s"=]|^$/;

/** A number at least this large is a time since 1970, in seconds or finer. */
const epochSecondsMin = 1_000_000_000;

const valid: Readonly<Partial<Record<PartName, (field: LaidField) => boolean>>> = {
  time: ({value}) => findTimeEnd(value.text, 0, true) !== -1 || Number(value.text) >= epochSecondsMin,
  level: ({value}) => levelOfField('level', value.text) !== undefined,
  severityNumber: ({value}) => levelOfField('severityNumber', value.text) !== undefined,
  message: ({isText, value}) => isText && value.text.trim() !== '',
};

/** The fields of a record that the vocabulary knows and whose values are such, in order. */
type KnownFields = ReadonlyMap<PartName, readonly LaidField[]>;

const knownFields = (fields: readonly LaidField[]): KnownFields => {
  const known = new Map<PartName, LaidField[]>();
  for (const field of fields) {
    const part = partOfName(field.key.text);
    if (part !== undefined && (valid[part]?.(field) ?? true)) {
      known.set(part, [...(known.get(part) ?? []), field]);
    }
  }
  return known;
};

/**
 * Finds the fields of a record that say what a web server was asked and answered: a status, a method and a path at
 * least. Returns undefined for a record of anything else.
 */
const findRequest = (
  reading: Reading,
  fields: readonly LaidField[],
): {readonly parts: RequestParts; readonly used: readonly LaidField[]} | undefined => {
  const [status, path] = [reading.placeOf('status'), reading.placeOf('path')];
  const parts = status && path && {...requestPartsOf(reading), status, path};
  const places = Object.values(parts ?? {}).filter(place => place !== undefined);
  const used = fields.filter(({value}) => places.some(({start, end}) => start >= value.start && end <= value.end));
  const isRequest =
    parts?.method !== undefined &&
    places.every(({start, end}) => used.some(({value}) => start >= value.start && end <= value.end));
  return isRequest ? {parts, used} : undefined;
};

/** Monolog nests what is said under `context` and `extra`; the words alone say it. */
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
export const layOutRecord = (row: LaidRow, context: LayoutContext, {fields, moreFields}: LaidRecord): void => {
  const known = knownFields(fields);
  const numbered = known.get('severityNumber') ?? [];
  const levels = [...(known.get('level') ?? []), ...numbered];
  const levelOf = (field: LaidField) =>
    levelOfField(numbered.includes(field) ? 'severityNumber' : 'level', field.value.text);
  const [leveled] = levels;
  const level = leveled && levelOf(leveled);
  const [time] = known.get('time') ?? [];
  const [message] = (known.get('message') ?? []).toSorted((a, b) => messageRank(a.key.text) - messageRank(b.key.text));
  const request = findRequest(context.reading, fields);
  const hasLead = row.length() > 0;
  // Many records state the level as a number and as a word.
  const used = new Set([message, ...levels.filter(each => levelOf(each) === level), ...(request?.used ?? [])]);
  if (time !== undefined && context.at !== undefined && isSameTime(time.value.text, context.at)) {
    used.add(time);
  }
  if (request !== undefined) {
    layOutRequest(row, request.parts, context);
  }
  if (message !== undefined) {
    row.addGap(request === undefined ? 1 : 2);
    row.show(message.value);
  }
  if (leveled !== undefined && level !== undefined && !isShownLevel(level, context)) {
    showAfter(row, /^\d/.test(leveled.value.text) ? {...leveled.value, text: level.toUpperCase()} : leveled.value);
  }
  const isQuiet = hasLead || request !== undefined || message !== undefined;
  // Monolog's nests need no name; the words alone say it.
  const nest = fields.some(({key}) => key.text === 'level_name') ? monologNest : '';
  let more = moreFields;
  let gap = 2;
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
