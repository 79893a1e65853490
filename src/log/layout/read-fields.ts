import {sanitiseWord} from '#log/text/sanitise.ts';
import type {Piece} from '../reading/form.ts';
import {type FoundRecord, type LaidField, type LaidRecord, readRecord, valueCharsMax} from '../reading/read-record.ts';
import type {Reading} from '../reading/reading.ts';

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
