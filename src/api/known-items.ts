import {skipValue, skipWhite} from './scan-json.ts';

/** So many places where the first item stands are tried; a log that repeats one line for ever is read the usual way. */
const candidatesMax = 8;

/** An array of which the front is known: it stood at the end of an earlier array. */
export type KnownFront = {
  /** Where the known part begins in the earlier array's text. */
  readonly beforeIndex: number;
  /** Where the known part ends in this text. */
  readonly knownEnd: number;
  /** The index behind the array's closing bracket. */
  readonly end: number;
};

/**
 * Compares an array that begins at `start` with the text between the brackets of an earlier one: does it begin where that one has this
 * array's first item, and go on as that one does to its end? Texts are compared as a whole, so that what is known costs
 * next to nothing. Undefined where they do not fit.
 */
export const findKnownFront = (text: string, start: number, before: string): KnownFront | undefined => {
  if (text[start] !== '[' || before === '') {
    return undefined;
  }
  const firstStart = skipWhite(text, start + 1);
  const firstEnd = text[firstStart] === ']' ? -1 : skipValue(text, firstStart);
  if (firstEnd === -1) {
    return undefined;
  }
  const first = text.slice(firstStart, firstEnd);
  let beforeIndex = before.indexOf(first);
  for (let tried = 0; beforeIndex !== -1 && tried < candidatesMax; tried++) {
    // An item begins behind a bracket, a comma or white space; inside a string the quote would stand behind a backslash.
    const isItem = beforeIndex === 0 || /[,\s]/.test(before[beforeIndex - 1] ?? '');
    const knownEnd = firstStart + before.length - beforeIndex;
    // Slices are compared as memory; `startsWith` would go through them letter by letter.
    if (isItem && text.slice(firstStart, knownEnd) === before.slice(beforeIndex)) {
      const end = skipItems(text, knownEnd);
      return end === -1 ? undefined : {beforeIndex, knownEnd, end};
    }
    beforeIndex = before.indexOf(first, beforeIndex + 1);
  }
  return undefined;
};

/** The index behind the closing bracket, from behind an item on; -1 where there is none. */
const skipItems = (text: string, behindItem: number): number => {
  let index = skipWhite(text, behindItem);
  while (text[index] === ',') {
    const end = skipValue(text, skipWhite(text, index + 1));
    if (end === -1) {
      return -1;
    }
    index = skipWhite(text, end);
  }
  return text[index] === ']' ? index + 1 : -1;
};
