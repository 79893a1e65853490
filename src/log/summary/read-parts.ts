import {findRecordStart} from '../json/find-record.ts';
import {access, looseAccess} from '../reading/formats/web/access.ts';
import {withoutSgr} from '../reading/level.ts';
import {Reading} from '../reading/reading.ts';
import {readRecordParts} from '../reading/record-parts.ts';
import {type PartSource, scanText} from '../reading/scan-text.ts';
import {findAddressEnd} from '../reading/tokens/find-address.ts';
import type {Piece, ReadTexts} from '../reading/tokens/form.ts';
import type {Level} from '../reading/tokens/level-words.ts';
import {isStatus} from '../reading/vocabulary.ts';
import {findPathEnd, foldPath} from './fold-path.ts';
import {foldText} from './fold-text.ts';

/** A part of a line and where it was read. */
export type LinePart<Value> = {readonly value: Value; readonly source: PartSource};

/** What a summary counts of one line. */
export type LineParts = {
  /**
   * What the line says, with marks for what changes from line to line, so that lines that say the same are counted
   * together: the message of a line of a known form, `GET /cart/‹n› 200` for a request.
   */
  readonly shape: LinePart<string>;
  readonly status: LinePart<number> | undefined;
  readonly path: LinePart<string> | undefined;
  readonly client: LinePart<string> | undefined;
};

/** A longer line is read only as far as it is shown. */
const readCharsMax = 16_384;

/**
 * The most that a container's log puts before a record; with more, that text is the message and the record only its
 * context.
 */
const recordPrefixCharsMax = 64;

/** Names and addresses are shorter. */
const clientCharsMax = 64;

const foldRequestPath = (path: string): string => foldPath(path.slice(0, findPathEnd(path, 0, path.length)));

/** Returns a client without its port. */
const clientOf = (client: string): string => {
  const end = findAddressEnd(client, 0);
  return client.slice(0, end === -1 ? clientCharsMax : end);
};

const readRequest = (texts: ReadTexts, source: PartSource): LineParts => {
  const {method = '', path, client, status = ''} = texts;
  const folded = path && foldRequestPath(path);
  return {
    shape: {value: `${folded ? `${method} ${folded}` : '-'} ${status}`, source},
    status: {value: Number(status), source},
    path: folded ? {value: folded, source} : undefined,
    client: client ? {value: clientOf(client), source} : undefined,
  };
};

/** Makes what is counted of the first valid part of each kind. */
const partsFrom = (
  text: string,
  parts: readonly (Piece & {readonly part: string; readonly source: PartSource})[],
): Omit<LineParts, 'shape'> => {
  const find = (wanted: string, isValid: (value: string) => boolean): LinePart<string> | undefined => {
    for (const {part, start, end, source} of parts) {
      const value = part === wanted ? text.slice(start, end) : '';
      if (value !== '' && isValid(value)) {
        return {value, source};
      }
    }
    return undefined;
  };
  const status = find('status', isStatus);
  const path = find('path', () => true);
  return {
    status: status && {...status, value: Number(status.value)},
    path: path && {...path, value: foldRequestPath(path.value)},
    client: find('client', value => value.length <= clientCharsMax),
  };
};

const readRecordLine = (text: string): LineParts | undefined => {
  const start = text.startsWith('{') || text.endsWith('}') ? findRecordStart(text) : -1;
  if (start === -1 || start > recordPrefixCharsMax) {
    return undefined;
  }
  const {message, status, path, client} = readRecordParts(text, start);
  return {
    shape:
      message === undefined
        ? {value: foldText(text), source: 'text'}
        : {value: foldText(text.slice(message.start, message.end)), source: message.name},
    ...partsFrom(
      text,
      Object.entries({status, path, client}).flatMap(([part, found]) =>
        found === undefined ? [] : [{part, start: found.start, end: found.end, source: found.name}],
      ),
    ),
  };
};

/** How far before a message the sign or word is looked for that a filter needs. */
const leadCharsMax = 24;

/** Returns what precedes a message: a sign, or the word of a level. */
const findLead = (text: string, start: number): string => {
  const before = text.slice(Math.max(0, start - leadCharsMax), start).trimEnd();
  const sign = before.slice(-1);
  return /\w/.test(sign) ? before.slice(before.lastIndexOf(' ') + 1) : sign;
};

/** Returns a message without the context that Monolog and others write behind it. */
const withoutContext = (message: string): string => {
  const index = message.indexOf(' {"');
  return index <= 0 ? message : message.slice(0, index);
};

/** Returns the shape of a text: of its message if its form is known, and not coloured, else of all of it. */
const shapeOfText = (received: string, {text, form}: Reading): LinePart<string> => {
  const {message, label} = (received === text ? form?.texts : undefined) ?? {};
  if (message === undefined) {
    return {value: foldText(received), source: 'text'};
  }
  const start = label === undefined ? text.lastIndexOf(message) : text.indexOf(label);
  const said = label === undefined ? withoutContext(message) : text.slice(start);
  return {value: foldText(said), source: `>${findLead(text, start)}`};
};

/** What begins or ends the names of the fields that are counted. */
const countedName = /(?:status|code|path|ur[il]|target|client\w*|remote\w*|response|(?:^|\s)(?:src_)?ip)=/i;

/** Nothing that is counted can stand in a text without one of these. */
const mayMention = (text: string): boolean =>
  (text.includes('=') && countedName.test(text)) || text.includes(' HTTP/') || text.includes('client');

/**
 * Reads the parts of a line that a summary counts, from the text as received; pass its level if it is known. Requests
 * give their status, path and client; JSON and logfmt records those of their fields; error lines of web servers those
 * of the request they report.
 */
export const readLineParts = (received: string, level?: Level): LineParts => {
  const cut = received.length > readCharsMax ? received.slice(0, readCharsMax) : received;
  const record = readRecordLine(cut);
  if (record !== undefined) {
    return record;
  }
  const reading = new Reading(withoutSgr(cut), level);
  const {form} = reading;
  if (form?.texts.status !== undefined && form.texts.message === undefined) {
    return readRequest(
      form.texts,
      [access, looseAccess].some(({forms}) => forms.includes(form.form)) ? 'access' : 'reported',
    );
  }
  return {
    shape: shapeOfText(cut, reading),
    ...partsFrom(
      reading.text,
      mayMention(cut) ? scanText(reading.text, false).parts.filter(({isCertain}) => isCertain) : [],
    ),
  };
};
