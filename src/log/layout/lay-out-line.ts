import {restToken, restTokensMax} from '../reading/formats/web/access.ts';
import type {Piece} from '../reading/tokens/form.ts';
import {sanitise} from '../text/sanitise.ts';
import {createLaidRow, type LaidLine, type LaidRow} from './laid-row.ts';
import {layOutRecord} from './lay-out-record.ts';
import {layOutRequest, requestPartsOf} from './lay-out-request.ts';
import {isShownTime, type LayoutContext, showAfter, showLevel, showTime} from './layout-context.ts';
import {readMessageFields} from './read-fields.ts';

/** Adds a message, and the fields of a record that it is or ends with. Returns whether there is one. */
const layOutMessage = (row: LaidRow, context: LayoutContext, {start, end}: Piece): boolean => {
  const received = context.reading.text.slice(0, end);
  const record = readMessageFields(received, start);
  row.show(record?.lead ?? {start, end: start + received.slice(start).trimEnd().length});
  if (record !== undefined) {
    layOutRecord(row, context, record);
  }
  return record !== undefined;
};

const placeholder = /^"?-?"?$/;

/** Returns what follows the parts of a request, in pieces without quotes, but for the time that it took. */
const readRest = (text: string, {start: from, end: to}: Piece, duration: Piece | undefined): readonly Piece[] => {
  const others: Piece[] = [];
  for (const match of text.slice(from, to).matchAll(restToken)) {
    const start = from + match.index;
    const end = start + match[0].length;
    if (others.length === restTokensMax) {
      others.push({start, end: to});
      break;
    }
    const isQuoted = match[1] !== undefined;
    const isDuration = duration !== undefined && start <= duration.start && duration.end <= end;
    if (!isDuration && !placeholder.test(match[0])) {
      others.push(isQuoted ? {start: start + 1, end: end - 1} : {start, end});
    }
  }
  return others;
};

/** Returns a part without blanks around it; an empty one for `-`, which says nothing. */
const trim = (text: string, {start, end}: Piece): Piece => {
  const said = text.slice(start, end);
  const from = start + said.length - said.trimStart().length;
  return {start: from, end: placeholder.test(said.trim()) ? from : start + said.trimEnd().length};
};

/** Lays out a line of a known form: a request in columns, or its message, then its other parts, quiet. */
const layOutForm = (context: LayoutContext): LaidLine | undefined => {
  const {text, parts, form} = context.reading;
  const {time, level, label, message, status} = parts;
  const asked = parts.path ?? parts.sent;
  const isRequest = status !== undefined && asked !== undefined;
  const said =
    message ?? (form === undefined && time ? {start: context.reading.head.next, end: text.length} : undefined);
  const names = [parts.logger, parts.b1, parts.b2, parts.b3, parts.protocol, parts.b4];
  const isOnlyTimed = !isRequest && names.every(part => part === undefined) && (level ?? label) === undefined;
  if (
    form?.form.isLoose ||
    (said === undefined && !isRequest) ||
    (isOnlyTimed && time && !isShownTime(context, time))
  ) {
    // Where nothing but a time is known, it has to stay.
    return undefined;
  }
  const row = createLaidRow(text);
  const others = parts.rest ? readRest(text, parts.rest, context.reading.placeOf('duration')) : [];
  if (isRequest) {
    layOutRequest(row, {...requestPartsOf(context.reading), status, path: asked}, context);
  }
  if (label !== undefined) {
    row.show(label);
    row.add('  ');
  }
  if (said !== undefined) {
    layOutMessage(row, context, said);
  }
  const [logger, b1, ...after] = names.map(part => part && trim(text, part));
  for (const part of [logger, b1, ...others, ...after]) {
    showAfter(row, part);
  }
  showLevel(row, context, level);
  showTime(row, context, time);
  showTime(row, context, parts.stamp);
  return row.line();
};

/** A line that is a record, or ends with one after a text of unknown form, which stays as it is. */
const layOutWhole = (context: LayoutContext): LaidLine | undefined => {
  const row = createLaidRow(context.reading.text);
  return layOutMessage(row, context, {start: 0, end: context.reading.text.length}) ? row.line() : undefined;
};

/**
 * Lays out a line for reading: what decides first, then the rest as quiet pieces; the time and the level that stand
 * beside the row are left out, and so are signs that only separate. Returns undefined for a line whose format is not
 * known for certain: it is shown as received. The row is safe, and sanitising it again changes nothing.
 */
export const layOutLine = (context: LayoutContext): LaidLine | undefined => {
  const laid = layOutForm(context) ?? layOutWhole(context);
  return laid === undefined || sanitise(laid.text) !== laid.text ? undefined : laid;
};
