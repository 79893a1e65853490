import {ApiError} from '../api-error.ts';

/**
 * Returns the address of an operation (section 4): the base address and the given parts, each escaped.
 * Throws an `ApiError` of kind `badId` for a part that would change the path: an empty one, `.` and `..`, which URL
 * parsers resolve even when escaped, and lone surrogates, which have no UTF-8 encoding.
 */
export const buildUrl = (baseUrl: string, parts: readonly string[]): string =>
  [baseUrl.replace(/\/+$/, ''), ...parts.map(escapePart)].join('/');

const escapePart = (part: string): string => {
  if (part === '') {
    throw new ApiError('badId', 'an id is empty: name a site and a branch');
  }
  if (part === '.' || part === '..') {
    throw new ApiError('badId', `"${part}" is not an id: name a site and a branch by their ids`);
  }
  if (!part.isWellFormed()) {
    throw new ApiError('badId', 'an id holds half a character (a lone surrogate): copy it again');
  }
  return encodeURIComponent(part);
};
