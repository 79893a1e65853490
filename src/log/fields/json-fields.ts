import {fieldOfKey} from './field-keys.ts';
import {type FieldCollector, fieldSpansMax} from './field-span.ts';
import {addRecordValue} from './record-value.ts';

const quote = 0x22;
const keyColon = /[ \t]*:[ \t]*/y;
const scalar = /[\w.+-]{1,64}/y;

/** Index of the quote that closes the string opened at `start`, or -1 where the text ends first. */
export const findClosingQuote = (text: string, start: number): number => {
  for (let index = text.indexOf('"', start + 1); index !== -1; index = text.indexOf('"', index + 1)) {
    let backslashes = 0;
    while (text[index - 1 - backslashes] === '\\') {
      backslashes += 1;
    }
    if (backslashes % 2 === 0) {
      return index;
    }
  }
  return -1;
};

/** Adds the value at `index`, a string or a number, of a known key; answers the index behind a string, else `index`. */
const addValue = (fields: FieldCollector, text: string, index: number, key: string): number => {
  const field = fieldOfKey(key);
  if (text.charCodeAt(index) === quote) {
    const close = findClosingQuote(text, index);
    if (close !== -1 && field !== undefined) {
      addRecordValue(fields, field, text, index + 1, close);
    }
    return close === -1 ? text.length : close + 1;
  }
  scalar.lastIndex = index;
  if (field !== undefined && scalar.test(text)) {
    addRecordValue(fields, field, text, index, scalar.lastIndex);
  }
  return index;
};

/**
 * Adds the keys of a record in JSON, from `start` to `end` of the text, and the values of those that are known. It reads on from
 * string to string without parsing, so a record that is cut off has its fields too.
 */
export const addJsonFields = (fields: FieldCollector, text: string, start: number, end: number): void => {
  let index = text.indexOf('"', start);
  while (index !== -1 && index < end && fields.spans.length < fieldSpansMax) {
    const close = findClosingQuote(text, index);
    if (close === -1) {
      return;
    }
    keyColon.lastIndex = close + 1;
    let next = close + 1;
    if (keyColon.test(text)) {
      fields.add('key', index + 1, close);
      next = addValue(fields, text, keyColon.lastIndex, text.slice(index + 1, close));
    }
    index = text.indexOf('"', next);
  }
};
