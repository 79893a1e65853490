import {withoutSgr} from '../reading/level.ts';
import {Reading} from '../reading/reading.ts';
import {isOfForm, withoutPort} from '../reading/request.ts';
import type {PartSource} from '../reading/scan-text.ts';
import type {Level} from '../reading/tokens/level-words.ts';
import {foldPath, requestShapeOf} from './fold-path.ts';
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

const shapeOf = (received: string, reading: Reading): LinePart<string> => {
  const {record, form, said, text} = reading;
  if (record !== undefined) {
    const {message} = record;
    return message === undefined
      ? {value: foldText(received), source: 'text'}
      : {value: foldText(text.slice(message.start, message.end)), source: message.name};
  }
  if (form?.texts.message !== undefined || said.status === undefined || !isOfForm(said.status.source)) {
    return shapeOfText(received, reading);
  }
  const {method, path, status} = said;
  return {value: `${requestShapeOf({method: method?.text, path: path?.text})} ${status.text}`, source: status.source};
};

/**
 * Reads the parts of a line that a summary counts, from the text as received; pass its level if it is known. Requests
 * give their status, path and client; JSON and logfmt records those of their fields; error lines of web servers those
 * of the request they report.
 */
export const readLineParts = (received: string, level?: Level): LineParts => {
  const cut = received.length > readCharsMax ? received.slice(0, readCharsMax) : received;
  const reading = new Reading(withoutSgr(cut), level);
  const {status, path, client} = reading.said;
  return {
    shape: shapeOf(cut, reading),
    status: status && {value: Number(status.text), source: status.source},
    path: path && {value: foldPath(path.text), source: path.source},
    client: client && {value: withoutPort(client.text), source: client.source},
  };
};
