import {decodeJsonString, findRecordStart, isRecordEnd} from '#log/text/json-record.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {walkJson} from '#log/text/walk-json.ts';
import {cutMark} from '#log/text/width.ts';
import type {Piece} from './form.ts';
import type {LaidPart} from './laid-row.ts';
import type {Reading} from './reading.ts';

/** A field of a JSON record or of a logfmt line. */
export type LaidField = {
  /** Its name, dotted if nested; the place is that of the innermost name. */
  readonly key: LaidPart & {readonly text: string};
  /** Without quotes. */
  readonly value: LaidPart & {readonly text: string};
  readonly isText: boolean;
};

/** The fields of a record in order; those past `recordFieldsMax` are only counted. */
export type LaidRecord = {readonly fields: readonly LaidField[]; readonly moreFields: number};

/** Where a JSON record begins that is or ends a text, and its fields. */
type FoundRecord = LaidRecord & {readonly start: number};

/** A larger line is shown as received: a row of it would show little, and the detail view has the rest. */
const recordCharsMax = 64 * 1024;

/** Anything nested deeper is shown verbatim. */
const nestedMax = 16;

const recordFieldsMax = 100;
const keyCharsMax = 100;
const dottedCharsMax = 200;
/** As long as the longest message shown. */
const valueCharsMax = 4096;
/** Docker keeps the newline of every line. */
const lastNewline = /\r?\n$/;

/**
 * Reads the JSON record that the text from `from` to `to` is or ends with. Fields of nested objects have dotted names;
 * a list is one value. Returns undefined if there is none, if it is empty, or if the text is longer than 64 KB.
 */
export const readRecord = (received: string, from: number, to: number): FoundRecord | undefined => {
  const text = received.slice(from, to);
  const start = text.length > recordCharsMax ? -1 : findRecordStart(text);
  if (start === -1) {
    return undefined;
  }
  const fields: LaidField[] = [];
  const names: string[] = [];
  let name = '';
  let keyStart = 0;
  let keyEnd = 0;
  let depth = 0;
  let rawDepth = 0;
  let rawStart = 0;
  let count = 0;
  const addField = (valueStart: number, valueEnd: number): void => {
    count += 1;
    if (fields.length < recordFieldsMax) {
      const isText = text[valueStart] === '"';
      const quote = isText ? 1 : 0;
      const token = text.slice(valueStart, valueEnd);
      const said = isText ? decodeJsonString(token).replace(lastNewline, '') : token;
      const dotted = sanitiseWord([...names, name].join('.'), dottedCharsMax);
      fields.push({
        key: {start: from + keyStart + 1, end: from + keyEnd - 1, text: dotted},
        value: {
          start: from + valueStart + quote,
          end: from + valueEnd - quote,
          text: sanitiseWord(said, valueCharsMax),
        },
        isText,
      });
    }
  };
  const end = walkJson(text, start, {
    onOpen(isObject, at, isEmpty) {
      depth += 1;
      const isRaw = !isObject || isEmpty || depth > nestedMax;
      if (rawDepth === 0 && isRaw && depth > 1) {
        rawDepth = depth;
        rawStart = at;
      }
      if (rawDepth === 0 && depth > 1) {
        names.push(name);
      }
    },
    onClose(_isObject, at) {
      if (rawDepth === 0) {
        names.pop();
      } else if (depth === rawDepth) {
        rawDepth = 0;
        addField(rawStart, at);
      }
      depth -= 1;
    },
    onKey(first, last) {
      if (rawDepth === 0) {
        keyStart = first;
        keyEnd = last;
        name =
          last - first > keyCharsMax
            ? `${text.slice(first + 1, first + keyCharsMax)}${cutMark}`
            : decodeJsonString(text.slice(first, last));
      }
    },
    onScalar(first, last) {
      if (rawDepth === 0) {
        addField(first, last);
      }
    },
  });
  return end < 0 || count === 0 || !isRecordEnd(text, end)
    ? undefined
    : {start: from + start, fields, moreFields: count - fields.length};
};

/**
 * Reads the JSON record that the received text from `from` on is or ends with. Monolog writes two, its context and its
 * extra: they are read as one. Returns undefined if there is none.
 */
const readJsonFields = (received: string, from: number): FoundRecord | undefined => {
  const record = readRecord(received, from, received.length);
  const split = record === undefined && received.endsWith('}') ? received.lastIndexOf('} {"') + 1 : 0;
  const context = split > from ? readRecord(received, from, split) : undefined;
  const extra = context && readRecord(received, split + 1, received.length);
  return context === undefined || extra?.start !== split + 1
    ? record
    : {
        start: context.start,
        fields: [...context.fields, ...extra.fields],
        moreFields: context.moreFields + extra.moreFields,
      };
};

const pair = /([A-Za-z_@][\w.@/-]{0,63})=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))(?: +|$)/dy;
const pairsMin = 3;
const pairsMax = 100;

/**
 * Reads the fields of a text in logfmt: nothing but `key=value` and `key="value"`, at least three of them. Returns
 * undefined for any other text, and for one of more than 100 fields.
 */
const readLogfmtFields = (received: string, from: number): LaidRecord | undefined => {
  const fields: LaidField[] = [];
  pair.lastIndex = from;
  let end = from;
  for (let match = pair.exec(received); match !== null && fields.length <= pairsMax; match = pair.exec(received)) {
    const {indices} = match;
    const [key, quoted, bare] = [indices?.[1], indices?.[2], indices?.[3]];
    const value = quoted ?? bare;
    if (key === undefined || value === undefined) {
      break;
    }
    end = pair.lastIndex;
    const text = received.slice(...value);
    fields.push({
      key: {start: key[0], end: key[1], text: received.slice(...key)},
      value: {
        start: value[0],
        end: value[1],
        text: sanitiseWord(quoted === undefined ? text : text.replaceAll(/\\(["\\])/g, '$1'), valueCharsMax),
      },
      isText: true,
    });
    if (end === received.length) {
      break;
    }
  }
  return end === received.length && fields.length >= pairsMin && fields.length <= pairsMax
    ? {fields, moreFields: 0}
    : undefined;
};

/** The fields of a line, and what it says before them. */
type LineFields = LaidRecord & {readonly lead: Piece};

/** Reads the fields that a message from `start` on is or ends with. Returns undefined if there are none. */
export const readMessageFields = (received: string, start: number): LineFields | undefined => {
  const json = readJsonFields(received, start);
  const record = json ?? readLogfmtFields(received, start);
  const lead = received.slice(start, json?.start ?? start).trimEnd();
  return record && {...record, lead: {start, end: start + lead.length}};
};

/** Reads the fields of a line that is a record or in logfmt, also after its head. Returns undefined for any other. */
export const readLineFields = ({text, head, parts, form}: Reading): LineFields | undefined => {
  const {start, end} = parts.message ?? {start: head.time === undefined ? 0 : head.next, end: text.length};
  if (form !== undefined && parts.message === undefined) {
    return undefined;
  }
  return readMessageFields(text.slice(0, end), start);
};
