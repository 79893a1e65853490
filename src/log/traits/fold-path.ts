import {shapeMarks} from './fold-text.ts';

/** Bound on the length of a path; a longer one is one of many, and its end says nothing. */
export const pathCharsMax = 256;

const wholeNumber = /^-?\d+$/;
const hexId = /^(?=.*[a-f])[\da-f]{8,}$/i;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
// Alternating letters and digits, without a dot, which a file name has.
const mixedId = /^(?:[a-z]+\d+[a-z]+\d|\d+[a-z]+\d+[a-z])[\da-z]{2,}$/i;

const hasDigit = (text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0x30 && code <= 0x39) {
      return true;
    }
  }
  return false;
};

const foldSegment = (segment: string): string => {
  if (wholeNumber.test(segment)) {
    return shapeMarks.number;
  }
  return hexId.test(segment) || uuid.test(segment) || mixedId.test(segment) ? shapeMarks.id : segment;
};

/** Returns where the path of a request's address ends: before its query or fragment, after 256 code units at most. */
const findPathEnd = (text: string): number => {
  const last = Math.min(text.length, pathCharsMax);
  for (let index = 0; index < last; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x3f || code === 0x23) {
      return index;
    }
  }
  return last;
};

/** Returns a path without its query, with marks for segments that are a number or an id: `/cart/‹n›`. */
export const foldPath = (path: string): string => {
  const end = findPathEnd(path);
  let folded = '';
  let from = 0;
  for (let start = 0; start <= end; ) {
    const slash = path.indexOf('/', start);
    const segmentEnd = slash === -1 || slash > end ? end : slash;
    const segment = path.slice(start, segmentEnd);
    const mark = hasDigit(segment) ? foldSegment(segment) : segment;
    if (mark !== segment) {
      folded += path.slice(from, start) + mark;
      from = segmentEnd;
    }
    start = segmentEnd + 1;
  }
  return folded + path.slice(from, end);
};

/** Returns the shape of a request, by which it is counted: `GET /cart/‹n›`, `-` if it has no path. */
export const requestShapeOf = (method: string | undefined, folded: string | undefined): string =>
  folded === undefined ? '-' : `${method ?? ''} ${folded}`;
