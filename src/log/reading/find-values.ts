import type {Severity} from './field-span.ts';
import {fieldsOf} from './find-fields.ts';
import type {Reading} from './reading.ts';
import {findAddressEnd} from './tokens/find-address.ts';

/** What a value of a line is. */
export type ValueName =
  | 'status'
  | 'method'
  | 'path'
  | 'client'
  | 'logger'
  | 'time'
  | 'url'
  | 'address'
  | 'file'
  | 'host';

/** A value that a reader may want to copy or filter by; `text` is part of the line. */
export type LineValue = {readonly name: ValueName; readonly text: string; readonly severity: Severity};

/** What follows is far down in the line; no one goes through more values one by one. */
const readCharsMax = 4096;
const valuesMax = 40;

/** The fields of which a line has one, in the order in which they are listed. */
const singleFields = ['status', 'method', 'path', 'client', 'logger'] as const satisfies readonly ValueName[];

const url = /\bhttps?:\/\/[^\s"'<>\\^`{|}]{4,2000}/g;
// The sign that ends a sentence or a bracket is not part of an address.
const urlEnd = /[.,;:!?)\]]+$/;
// At least two names, so that `and/or` and `/` are none; a number behind it is a line of the file.
const file = /(?<![\w/.:-])(?:\/[\w.@~%+-]{1,255}){2,32}(?::\d{1,7}\b)?/g;
const host =
  /\b(?:host|hostname|server|upstream|domain|peer)"?\s?[:=]\s?"?((?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24}(?::\d{1,5})?)/gi;
const addressStart = /(?<![\w.:])[\da-f:]/gi;

/**
 * Finds the values of a line: the fields that have a name, its times, and the web addresses, IP addresses, files and
 * hosts anywhere in it. Each text once, at most 40. Reads the first 4,096 code units.
 */
export const findValues = (reading: Reading): readonly LineValue[] => {
  const text = reading.text.slice(0, readCharsMax);
  const values = new Map<string, LineValue>();
  const add = (name: ValueName, value: string, severity: Severity = 'plain'): void => {
    if (value !== '' && values.size < valuesMax && !values.has(value)) {
      values.set(value, {name, text: value, severity});
    }
  };
  const fields = fieldsOf(reading);
  for (const name of singleFields) {
    const found = fields.find(({field}) => field === name);
    if (found !== undefined) {
      add(name, text.slice(found.start, found.end), found.severity);
    }
  }
  for (const {start, end} of fields.filter(({field}) => field === 'time')) {
    add('time', text.slice(start, end));
  }
  const withoutUrls = text.replace(url, found => {
    add('url', found.replace(urlEnd, ''));
    return ' '.repeat(found.length);
  });
  for (const {index} of withoutUrls.matchAll(addressStart)) {
    const end = findAddressEnd(withoutUrls, index);
    add('address', end === -1 ? '' : withoutUrls.slice(index, end));
  }
  for (const [found] of withoutUrls.matchAll(file)) {
    add('file', found);
  }
  for (const [, found = ''] of withoutUrls.matchAll(host)) {
    add('host', found);
  }
  return [...values.values()];
};
