import {formatInstant, type Instant, parseInstant} from '#log/line/instant.ts';

/** A place in a log: `shop/master@2026-11-21T14:02:11Z`. */
export type DeepLink = {
  readonly site: string;
  readonly branch: string;
  /** Undefined if the link names only a branch. */
  readonly at: Instant | undefined;
};

/** Decodes percent escapes (`%2F` is a slash); a percent sign that starts no valid UTF-8 is kept. */
const decode = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, bytes => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });

/** Finds the time: after the last `@` that is followed by a valid one. */
const findTime = (text: string): {readonly index: number; readonly at: Instant} | undefined => {
  const index = text.lastIndexOf('@');
  const at = index <= 0 ? undefined : parseInstant(decode(text.slice(index + 1)));
  return at === undefined ? undefined : {index, at};
};

/**
 * Parses SITE/BRANCH or SITE/BRANCH@TIME. The site ends at the first slash, so a branch may be called `feature/x`; the
 * time (RFC 3339) follows the last `@` if it parses as one. Names may be percent-encoded, as `formatDeepLink` does.
 * Returns undefined if the text is not such a link.
 */
export const parseDeepLink = (text: string): DeepLink | undefined => {
  const slash = text.indexOf('/');
  const time = findTime(text);
  const [site, branch] = [decode(text.slice(0, slash)), decode(text.slice(slash + 1, time?.index))];
  // A slash after the time would belong to the time, and a time has none.
  return slash <= 0 || branch === '' ? undefined : {site, branch, at: time?.at};
};

/** Percent-encodes anything that could have a meaning to a shell or to a program that detects links in text. */
const encode = (text: string, safe: RegExp): string =>
  [...text.toWellFormed()].map(character => (safe.test(character) ? character : encodeCharacter(character))).join('');

const encodeCharacter = (character: string): string =>
  [...new TextEncoder().encode(character)].map(byte => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/**
 * Formats the link to a place or branch as a single shell word: other scripts, spaces and special characters are
 * percent-encoded. `parseDeepLink` reads the same place back.
 */
export const formatDeepLink = ({site, branch, at}: DeepLink): string => {
  // A leading minus sign would make it an option.
  const sitePart = encode(site, /[\w.-]/).replace(/^-/, '%2D');
  const branchPart = encode(branch, /[\w./:+,-]/);
  return `${sitePart}/${branchPart}${at === undefined ? '' : `@${formatInstant(at).replace(/\.?0+Z$/, 'Z')}`}`;
};

/** How the name of a file ends that has a log as somebody held it. */
export const handOverSuffix = '.branchlog';

/** Splits `FILE#NUMBER`, an entry of such a file; `number` is undefined without one. */
export const parseEntryLink = (word: string): {readonly path: string; readonly number: number | undefined} => {
  const [, path = word, digits] = /^(.+)#(\d{1,15})$/.exec(word) ?? [];
  return digits === undefined || !path.endsWith(handOverSuffix)
    ? {path: word, number: undefined}
    : {path, number: Number(digits)};
};
