import {findAddressEnd} from '#log/tokens/find-tokens.ts';
import {fieldsOf, type Severity} from './find-fields.ts';
import type {Reading} from './reading.ts';
import {type PartName, partOfName} from './vocabulary.ts';

/** The kinds of values in a line. */
export type ValueName =
  | 'status'
  | 'method'
  | 'path'
  | 'client'
  | 'logger'
  | 'exception'
  | 'took'
  | 'bytes'
  | 'time'
  | 'id'
  | 'url'
  | 'address'
  | 'file'
  | 'host'
  | 'field';

/**
 * A value that a reader may want to copy or filter by; `text` is part of the line. `label` names it: a field of which
 * nothing else is known by its name in the line.
 */
export type LineValue = {
  readonly name: ValueName;
  readonly label: string;
  readonly text: string;
  readonly severity: Severity;
};

/** Further values are far down in the line; nobody goes through more of them one by one. */
const readCharsMax = 4096;
const valuesMax = 40;

/** The fields of which a line has one, in the order in which they are listed. */
const singleFields = ['status', 'method', 'path', 'client', 'logger'] as const satisfies readonly ValueName[];

/** Values that are found anywhere in the line. */
const ownLabels: ReadonlySet<ValueName> = new Set(['id', 'url', 'address', 'file', 'host']);

/** Facts that are no values to look for elsewhere, but have a row of their own in an opened line. */
const otherParts: ReadonlySet<PartName | undefined> = new Set([
  'time',
  'level',
  'severityNumber',
  'message',
  'exceptionMessage',
  'stack',
]);

// After the name of a field: `=` or `":`, and a value in quotes or up to what ends one. `true` tells nothing apart.
const fieldValue =
  /(?:=|"\s{0,8}:\s{0,8})(?:"((?:[^"\\]|\\.){1,200})"|(?!(?:true|false|null)\b)([^\s"',;)[\]{}]{1,200})(?=[\s,;)\]}]|$))/y;
// A UUID, or the hexadecimal digits of a trace.
const id = /(?<![\w-])(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?=[a-f]*\d)[\da-f]{16,64})(?![\w-])/gi;
const url = /\bhttps?:\/\/[^\s"'<>\\^`{|}]{4,2000}/g;
// The sign that ends a sentence or a bracket is not part of an address.
const urlEnd = /[.,;:!?)\]]+$/;
// At least two names, so that `and/or` and `/` are none; a number after it is a line of the file.
const file = /(?<![\w/.:-])(?:\/[\w.@~%+-]{1,255}){2,32}(?::\d{1,7}\b)?/g;
const host =
  /\b(?:host|hostname|server|upstream|domain|peer)"?\s?[:=]\s?"?((?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24}(?::\d{1,5})?)/gi;
const addressStart = /(?<![\w.:])[\da-f:]/gi;

/**
 * Finds the values of a line: what a request and an exception are known by, its times, the ids, web addresses, IP
 * addresses, files and hosts anywhere in it, and all other fields that have a name. Each text once, at most 40. Reads
 * the first 4,096 code units.
 */
export const findValues = (reading: Reading): readonly LineValue[] => {
  const text = reading.text.slice(0, readCharsMax);
  const values = new Map<string, LineValue>();
  const add = (name: ValueName, value = '', severity: Severity = 'plain', label: string = name): void => {
    if (value !== '' && values.size < valuesMax && !values.has(value)) {
      values.set(value, {name, label, text: value, severity});
    }
  };
  const fields = fieldsOf(reading);
  for (const name of singleFields) {
    const found = fields.find(({field}) => field === name);
    if (found !== undefined) {
      add(name, text.slice(found.start, found.end), found.severity);
    }
  }
  add('exception', reading.exception?.name);
  add('took', reading.said.duration?.text);
  add('bytes', reading.said.bytes?.text);
  for (const {start, end} of fields.filter(({field}) => field === 'time')) {
    add('time', text.slice(start, end));
  }
  const withoutUrls = text.replace(url, found => {
    add('url', found.replace(urlEnd, ''));
    return ' '.repeat(found.length);
  });
  for (const [found] of withoutUrls.matchAll(id)) {
    add('id', found);
  }
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
  for (const {start, end} of fields.filter(({field}) => field === 'key')) {
    const name = text.slice(start, end);
    fieldValue.lastIndex = end;
    const [, quoted, bare] = (otherParts.has(partOfName(name)) ? null : fieldValue.exec(text)) ?? [];
    const value = quoted ?? bare ?? '';
    const known = values.get(value);
    add('field', value, 'plain', name);
    // The name that the line gives it says more than that it is an address.
    if (known !== undefined && ownLabels.has(known.name)) {
      values.set(value, {...known, label: name});
    }
  }
  return [...values.values()];
};
