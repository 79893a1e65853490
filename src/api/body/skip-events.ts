import type {Work} from '../../log/work/work.ts';
import {batchBytes, betweenObjects, readItems} from './read-items.ts';
import {closeBrace, closeBracket, openBracket, quote, skipValue} from './scan-json.ts';
import {textOfUtf8} from './utf8-text.ts';

/** The position of `data` in a body, from its opening bracket to after its closing one. */
export type DataPlace = {readonly start: number; readonly end: number; readonly lines: readonly string[]};

const eventStart = '{"message":';
const betweenLines = '","';
const betweenLinesBytes = Buffer.from(betweenLines);
const escapedBetweenLinesBytes = Buffer.from(`\\${betweenLines}`);
const betweenEvents = `"},${eventStart}"`;

/**
 * Returns where `events` ends if it repeats `data` byte for byte, each line in an object of its own, as the
 * specification says. Returns undefined if it visibly does not. The content is not checked, because none of it is used.
 */
export const foreseeEventsEnd = (body: Buffer, start: number, {lines, ...data}: DataPlace): number | undefined => {
  const end = start + (data.end - data.start) + lines.length * (eventStart.length + 1);
  return end <= body.length &&
    body.toString('latin1', start, start + 1 + eventStart.length) === `[${eventStart}` &&
    body[end - 3] === quote &&
    body[end - 2] === closeBrace &&
    body[end - 1] === closeBracket
    ? end
    : undefined;
};

/**
 * Returns where `events` ends and checks that all of it is JSON; -1 if it has no end. Throws the `SyntaxError` of
 * `JSON.parse`.
 */
export function* checkEvents(body: Buffer, start: number, data: DataPlace | undefined): Work<number> {
  const foreseenEnd = data && foreseeEventsEnd(body, start, data);
  if (data && foreseenEnd !== undefined && (yield* repeatLines(body, start, foreseenEnd, data))) {
    return foreseenEnd;
  }
  const arrayEnd = body[start] === openBracket ? yield* readItems(body, start + 1, betweenObjects, () => true) : -1;
  if (arrayEnd !== -1) {
    return arrayEnd;
  }
  const end = skipValue(body, start);
  if (end !== -1) {
    JSON.parse(textOfUtf8(body, start, end));
  }
  return end;
}

/**
 * Returns whether `events` holds exactly the lines, written as events. The separator between two lines cannot be
 * confused with a line's content as long as no escaped quote is followed by a comma and a quote, and no line is a
 * single comma. Because the end is also the expected one, each line is then in an event of its own. Reads bytes as
 * Latin-1, which preserves each of them.
 */
function* repeatLines(body: Buffer, start: number, foreseenEnd: number, data: DataPlace): Work<boolean> {
  const items = body.subarray(data.start + 1, data.end - 1);
  if (items.includes(escapedBetweenLinesBytes) || data.lines.includes(',')) {
    return false;
  }
  let at = start + 1;
  for (let from = 0; from < items.length; ) {
    const between = items.indexOf(betweenLinesBytes, from + batchBytes);
    const to = between === -1 ? items.length : between + 1;
    const lines = items.toString('latin1', from, to);
    const events = `${eventStart}${lines.replaceAll(betweenLines, betweenEvents)}}${between === -1 ? ']' : ','}`;
    if (body.toString('latin1', at, at + events.length) !== events) {
      return false;
    }
    at += events.length;
    from = to + 1;
    yield;
  }
  return at === foreseenEnd;
}
