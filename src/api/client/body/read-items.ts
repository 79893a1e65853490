import type {Work} from '#log/work.ts';
import {textOfUtf8} from './parse-json.ts';
import {closeBracket, comma, skipValue, skipWhite} from './scan-json.ts';

/**
 * How many bytes of an array are decoded at a time: enough that the overhead per batch is small, and few enough to add
 * no noticeable garbage.
 */
export const batchBytes = 64 * 1024;

/**
 * Bytes that usually join two items of an array, used to find a batch end. The comma is `commaIndex` bytes from their
 * start.
 */
export type Joint = {readonly bytes: Buffer; readonly commaIndex: number};

export const betweenStrings: Joint = {bytes: Buffer.from('",'), commaIndex: 1};
/** Between objects that end with a string. */
export const betweenObjects: Joint = {bytes: Buffer.from('"},{"'), commaIndex: 2};

/**
 * Parses an array in batches, from the start of an item, and passes each batch and its place in the body to `take`,
 * which may return false to refuse it. Returns the index after the closing bracket, or -1 if a batch was refused or the
 * array has no end. Throws the `SyntaxError` of `JSON.parse`.
 */
export function* readItems(
  body: Buffer,
  start: number,
  joint: Joint,
  take: (items: readonly unknown[], start: number, end: number) => boolean,
): Work<number> {
  for (let batchStart = start; ; ) {
    const guess = guessBatchEnd(body, batchStart, joint);
    const guessed = guess === -1 ? undefined : tryParseItems(body, batchStart, guess);
    const end = guessed ? guess : findBatchEnd(body, batchStart);
    if (end === -1 || !take(guessed ?? parseItems(body, batchStart, end), batchStart, end)) {
      return -1;
    }
    if (body[end] === closeBracket) {
      return end + 1;
    }
    batchStart = end + 1;
    yield;
  }
}

/** Returns the index of a comma that seems to follow an item, or -1. */
const guessBatchEnd = (body: Buffer, start: number, {bytes, commaIndex}: Joint): number => {
  const from = start + batchBytes;
  const found = body.subarray(from, from + batchBytes).indexOf(bytes);
  return found === -1 ? -1 : from + found + commaIndex;
};

/**
 * Returns the index of the comma or bracket that follows an item, found by walking from item to item; -1 if there is
 * none.
 */
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

/** Parses bytes as the items of an array, without its brackets. Throws the `SyntaxError` of `JSON.parse`. */
export const parseItems = (body: Buffer, start = 0, end = body.length): readonly unknown[] =>
  JSON.parse(`[${textOfUtf8(body, start, end)}]`) as readonly unknown[];

/**
 * Parses the bytes as items. If that succeeds they are whole items, so the guess was right; returns undefined if it
 * fails.
 */
const tryParseItems = (body: Buffer, start: number, end: number): readonly unknown[] | undefined => {
  try {
    return parseItems(body, start, end);
  } catch {
    return undefined;
  }
};
