import {decodeJsonString} from '../json/find-record.ts';
import {type JsonField, type JsonRecord, readRecord} from '../json/read-record.ts';
import {sanitiseWord} from '../text/sanitise.ts';
import type {LaidPart} from './laid-row.ts';

/** A field of a JSON record or of a logfmt line. */
export type LaidField = {
  readonly key: LaidPart & {readonly text: string};
  /** Without quotes. */
  readonly value: LaidPart & {readonly text: string};
  readonly isText: boolean;
};

/** The fields of a record, and how many more it has. */
export type LaidRecord = {readonly fields: readonly LaidField[]; readonly moreFields: number};

/** As long as the longest message shown. */
const valueCharsMax = 4096;
const keyCharsMax = 200;
/** Docker keeps the newline of every line. */
const lastNewline = /\r?\n$/;

const toField = (text: string, offset: number, field: JsonField): LaidField => {
  const isText = text[field.start] === '"';
  const quote = isText ? 1 : 0;
  const token = text.slice(field.start, field.end);
  return {
    key: {
      start: offset + field.keyStart + 1,
      end: offset + field.keyEnd - 1,
      text: sanitiseWord(field.key, keyCharsMax),
    },
    value: {
      start: offset + field.start + quote,
      end: offset + field.end - quote,
      text: sanitiseWord(isText ? decodeJsonString(token).replace(lastNewline, '') : token, valueCharsMax),
    },
    isText,
  };
};

const toLaidRecord = (text: string, offset: number, {fields, moreFields}: JsonRecord): LaidRecord => ({
  fields: fields.map(field => toField(text, offset, field)),
  moreFields,
});

/** Where a JSON record begins that is or ends a text, and its fields. */
export type FoundRecord = LaidRecord & {readonly start: number};

/**
 * Reads the JSON record that the received text from `from` on is or ends with. Monolog writes two, its context and its
 * extra: they are read as one. Returns undefined if there is none.
 */
export const readJsonFields = (received: string, from: number): FoundRecord | undefined => {
  const text = received.slice(from);
  const record = readRecord(text);
  if (record !== undefined) {
    return {start: from + record.start, ...toLaidRecord(text, from, record)};
  }
  const split = text.endsWith('}') ? text.lastIndexOf('} {"') + 1 : 0;
  const context = split === 0 ? undefined : readRecord(text.slice(0, split));
  const extra = context && readRecord(text.slice(split + 1));
  if (context === undefined || extra?.start !== 0) {
    return undefined;
  }
  const [first, second] = [
    toLaidRecord(text, from, context),
    toLaidRecord(text.slice(split + 1), from + split + 1, extra),
  ];
  return {
    start: from + context.start,
    fields: [...first.fields, ...second.fields],
    moreFields: first.moreFields + second.moreFields,
  };
};

const pair = /([A-Za-z_@][\w.@/-]{0,63})=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))(?: +|$)/dy;
const pairsMin = 3;
const pairsMax = 100;

/**
 * Reads the fields of a text in logfmt: nothing but `key=value` and `key="value"`, at least three of them. Returns
 * undefined for any other text, and for one of more than 100 fields.
 */
export const readLogfmtFields = (received: string, from: number): LaidRecord | undefined => {
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
