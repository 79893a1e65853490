import {beforeNames, findClosingQuote, moveToNextName} from '#log/text/json-record.ts';
import {findAddressEnd} from '#log/tokens/find-tokens.ts';
import {type Level, levelRank} from '#log/tokens/level-words.ts';
import type {FormPart, Piece} from './form.ts';
import {Reading} from './reading.ts';
import {isStatus, levelOfField, type PartName, partOfName} from './vocabulary.ts';

/** The kinds of pieces of a line. */
export type FieldName = 'time' | 'level' | 'status' | 'method' | 'path' | 'client' | 'logger' | 'key';

/** Whether a level or status reports a problem; `plain` for everything else. */
export type Severity = 'plain' | 'warn' | 'bad';

/** A field of a line: code units `start` up to but not including `end`. */
export type FieldSpan = {
  readonly start: number;
  readonly end: number;
  readonly field: FieldName;
  readonly severity: Severity;
};

/** More than one can tell apart in a row of a wide screen; keeps a line of a thousand keys cheap to draw. */
export const fieldSpansMax = 100;

export const severityOfLevel = (level: Level): Severity => {
  const rank = levelRank(level);
  return rank >= levelRank('error') ? 'bad' : rank === levelRank('warn') ? 'warn' : 'plain';
};

/** Returns the severity of a part's value, consistent with `levelOf`; undefined if it is no such value. */
const severityOfField = (part: PartName | FormPart, value: string): Severity | undefined => {
  if (part === 'level' || part === 'severityNumber') {
    const level = levelOfField(part, value);
    return level && severityOfLevel(level);
  }
  if (part === 'status') {
    return isStatus(value) ? (value >= '500' ? 'bad' : value >= '400' ? 'warn' : 'plain') : undefined;
  }
  return 'plain';
};

/** Text further in is visible only after much scrolling; levels are not searched for there either. */
const readCharsMax = 4096;

const scalar = /[\w.+-]{1,64}/y;

/** The field that a part is, if its name is another one. */
const otherFields: Readonly<Record<string, FieldName>> = {stamp: 'time', severityNumber: 'level'};
const fieldNames: ReadonlySet<string> = new Set(['time', 'level', 'status', 'method', 'path', 'client', 'logger']);
const fieldOf = (part: string): FieldName | undefined =>
  otherFields[part] ?? (fieldNames.has(part) ? (part as FieldName) : undefined);

/** A program's process, and a client's port, are no part of its name. Returns where the name ends. */
const nameEnd = (part: string, text: string, {start, end}: Piece): number => {
  const index =
    part === 'client' ? findAddressEnd(text, start) : part === 'logger' ? text.slice(start).search(/[[(]/) + start : -1;
  return index > start && index < end ? index : end;
};

/** Returns the span of a part; none if its value is invalid. Severities agree with `levelOf`. */
const spansOfPart = (text: string, part: PartName | FormPart, piece: Piece): readonly FieldSpan[] => {
  const field = fieldOf(part);
  const severity = field && severityOfField(part, text.slice(piece.start, piece.end));
  return field === undefined || severity === undefined
    ? []
    : [{start: piece.start, end: nameEnd(part, text, piece), field, severity}];
};

const keySpan = ({start, end}: Piece): FieldSpan => ({start, end, field: 'key', severity: 'plain'});

/** Returns the names of the JSON record that begins at `start`, truncated ones too, and the values of known names. */
const spansOfRecord = (text: string, start: number): readonly FieldSpan[] => {
  const spans: FieldSpan[] = [];
  const name = beforeNames(start);
  while (spans.length < fieldSpansMax && moveToNextName(text, name)) {
    spans.push(keySpan(name));
    const part = partOfName(text.slice(name.start, name.end));
    const {valueStart} = name;
    const isText = text[valueStart] === '"';
    const close = isText ? findClosingQuote(text, valueStart) : -1;
    scalar.lastIndex = valueStart;
    if (part !== undefined && (isText ? close !== -1 : scalar.test(text))) {
      const value = isText ? {start: valueStart + 1, end: close} : {start: valueStart, end: scalar.lastIndex};
      spans.push(...spansOfPart(text, part, value));
    }
    if (isText) {
      name.next = close === -1 ? text.length : close + 1;
    }
  }
  return spans;
};

/** Returns the parts of a line that is no record: those of its form, the word of its level, what it mentions. */
const spansOfText = (reading: Reading): readonly FieldSpan[] => {
  const {text, parts, form, level} = reading;
  const isRequest = parts.status !== undefined && parts.message === undefined;
  const word = isRequest ? undefined : reading.levelWord;
  const {level: _, ...others} = parts;
  const spans = Object.entries(others).flatMap(([part, piece]) => spansOfPart(text, part as FormPart, piece));
  if (word !== undefined) {
    spans.push({...word, field: 'level', severity: severityOfLevel(level)});
  }
  if (isRequest && form?.form.isLoose !== true) {
    // A request says nothing else; what its client sends is not looked at.
    return spans;
  }
  const {keys, parts: mentioned, recordStart} = reading.mentions;
  return [
    ...spans,
    ...keys.map(keySpan),
    ...mentioned.flatMap(each => spansOfPart(text, each.part, each)),
    ...(recordStart === undefined ? [] : spansOfRecord(text, recordStart)),
  ];
};

/**
 * Returns the fields of a line for colouring: ascending, not overlapping, at most `fieldSpansMax`, within the first
 * 4,096 code units. A line of unknown form has few fields or none. Severities agree with its level.
 */
export const fieldsOf = (reading: Reading): readonly FieldSpan[] => {
  const spans = reading.isRecord ? spansOfRecord(reading.text.slice(0, readCharsMax), 0) : spansOfText(reading);
  let lastEnd = 0;
  // If two overlap, the one that begins first is kept; if both begin together, the one found first.
  return spans
    .toSorted((a, b) => a.start - b.start)
    .filter(({start, end}) => {
      const isKept = end > start && start >= lastEnd && end <= readCharsMax;
      lastEnd = isKept ? end : lastEnd;
      return isKept;
    })
    .slice(0, fieldSpansMax);
};

/**
 * Finds the fields of a line for colouring, see `fieldsOf`. The text must be sanitised. Linear; no pattern can be made
 * to backtrack.
 */
export const findFields = (text: string): readonly FieldSpan[] => fieldsOf(new Reading(text));
