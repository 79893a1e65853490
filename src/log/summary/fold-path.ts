import {shapeMarks} from './shape-marks.ts';

/** Bound on the length of a path; a longer one is one of many, and its end says nothing. */
export const pathCharsMax = 256;

const digit = /\d/;
const wholeNumber = /^-?\d+$/;
const hexId = /^(?=.*[a-f])[\da-f]{8,}$/i;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
// Alternating letters and digits, without a dot, which a file name has.
const mixedId = /^(?:[a-z]+\d+[a-z]+\d|\d+[a-z]+\d+[a-z])[\da-z]{2,}$/i;

const foldSegment = (segment: string): string => {
  if (!digit.test(segment)) {
    return segment;
  }
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
  const folded = path.slice(0, findPathEnd(path));
  return digit.test(folded) ? folded.split('/').map(foldSegment).join('/') : folded;
};

/** Returns the shape of a request, by which it is counted: `GET /cart/‹n›`, `-` if it has no path. */
export const requestShapeOf = ({method, path}: {method: string | undefined; path: string | undefined}): string =>
  path === undefined ? '-' : `${method ?? ''} ${foldPath(path)}`;
