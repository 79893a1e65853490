import {closeBracket, comma, skipValue, skipWhite} from './scan-json.ts';
import {textOfUtf8} from './utf8-text.ts';

/** So many bytes of an array are text at a time: enough that a batch costs little, and too little to be told from other garbage. */
export const batchBytes = 64 * 1024;

/** How an item of an array usually ends and the next one follows: where to look for a place between two, `commaIndex` bytes before a comma. */
export type Joint = {readonly bytes: Buffer; readonly commaIndex: number};

export const betweenStrings: Joint = {bytes: Buffer.from('",'), commaIndex: 1};
/** Between objects that end with a string. */
export const betweenObjects: Joint = {bytes: Buffer.from('"},{"'), commaIndex: 2};

/**
 * Reads an array from where an item stands, some items at a time, which go to `take`; it may refuse them by false. Answers the index
 * behind the array's bracket, -1 where items were refused or the array has no end. Throws the `SyntaxError` of `JSON.parse`.
 */
export const readItems = (
  body: Buffer,
  start: number,
  joint: Joint,
  take: (items: readonly unknown[]) => boolean,
): number => {
  for (let batchStart = start; ; ) {
    const guess = guessBatchEnd(body, batchStart, joint);
    const guessed = guess === -1 ? undefined : tryParseItems(body, batchStart, guess);
    const end = guessed ? guess : findBatchEnd(body, batchStart);
    if (end === -1 || !take(guessed ?? parseItems(body, batchStart, end))) {
      return -1;
    }
    if (body[end] === closeBracket) {
      return end + 1;
    }
    batchStart = end + 1;
  }
};

/** The index of a comma that seems to follow an item. */
const guessBatchEnd = (body: Buffer, start: number, {bytes, commaIndex}: Joint): number => {
  const from = start + batchBytes;
  const found = body.subarray(from, from + batchBytes).indexOf(bytes);
  return found === -1 ? -1 : from + found + commaIndex;
};

/** The index of the comma or bracket that follows an item, found by going from one to the next; -1 where there is none. */
const findBatchEnd = (body: Buffer, start: number): number => {
  for (let itemStart = start; ; ) {
    const itemEnd = skipValue(body, skipWhite(body, itemStart));
    const end = itemEnd === -1 ? -1 : skipWhite(body, itemEnd);
    if (body[end] !== comma) {
      return body[end] === closeBracket ? end : -1;
    }
    if (end - start >= batchBytes) {
      return end;
    }
    itemStart = end + 1;
  }
};

const parseItems = (body: Buffer, start: number, end: number): readonly unknown[] =>
  JSON.parse(`[${textOfUtf8(body, start, end)}]`) as readonly unknown[];

/** What can be read from an item's start on is whole items, so the guess was right; undefined where it was not. */
const tryParseItems = (body: Buffer, start: number, end: number): readonly unknown[] | undefined => {
  try {
    return parseItems(body, start, end);
  } catch {
    return undefined;
  }
};
