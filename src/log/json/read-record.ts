import {cutMark} from '../cells/marks.ts';
import {decodeJsonString, findRecordStart, isRecordEnd} from './find-record.ts';
import {walkJson} from './walk-json.ts';

/**
 * A field of a record: its name, dotted if nested, and the ranges of its innermost name and of its value in the line,
 * with their quotes.
 */
export type JsonField = {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly start: number;
  readonly end: number;
};

/** The record of a line: its fields in order; those past `recordFieldsMax` are only counted. */
export type JsonRecord = {
  readonly start: number;
  readonly end: number;
  readonly fields: readonly JsonField[];
  readonly moreFields: number;
};

/** A larger line is shown as received: a row of it would show little, and the detail view has the rest. */
const recordCharsMax = 64 * 1024;

/** Anything nested deeper is shown verbatim. */
const nestedMax = 16;

const recordFieldsMax = 100;
const keyCharsMax = 100;

/**
 * Reads the JSON record that a line is or ends with. Fields of nested objects have dotted names; a list is one value.
 * Returns undefined if there is none, if it is empty, or if the line is longer than 64 KB.
 */
export const readRecord = (text: string): JsonRecord | undefined => {
  const start = text.length > recordCharsMax ? -1 : findRecordStart(text);
  if (start === -1) {
    return undefined;
  }
  const fields: JsonField[] = [];
  const names: string[] = [];
  let name = '';
  let keyStart = 0;
  let keyEnd = 0;
  let depth = 0;
  let rawDepth = 0;
  let rawStart = 0;
  let count = 0;
  const addField = (from: number, to: number): void => {
    count += 1;
    if (fields.length < recordFieldsMax) {
      fields.push({key: [...names, name].join('.'), keyStart, keyEnd, start: from, end: to});
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
    onKey(from, to) {
      if (rawDepth === 0) {
        keyStart = from;
        keyEnd = to;
        name =
          to - from > keyCharsMax
            ? `${text.slice(from + 1, from + keyCharsMax)}${cutMark}`
            : decodeJsonString(text.slice(from, to));
      }
    },
    onScalar(from, to) {
      if (rawDepth === 0) {
        addField(from, to);
      }
    },
  });
  return end < 0 || count === 0 || !isRecordEnd(text, end)
    ? undefined
    : {start, end, fields, moreFields: count - fields.length};
};
