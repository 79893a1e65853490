import {formatInstant, type Instant, parseInstant} from './instant.ts';

/** A place in a log: `shop/master@2026-11-21T14:02:11Z`. */
export type DeepLink = {
  readonly site: string;
  readonly branch: string;
  /** Undefined where the link names a branch only. */
  readonly at: Instant | undefined;
};

/** `%2F` stands for a slash and so on; a percent sign that begins no UTF-8 stands for itself. */
const decode = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, bytes => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });

/** Where the time begins: behind the last `@` that has one behind it. */
const findTime = (text: string): {readonly index: number; readonly at: Instant} | undefined => {
  const index = text.lastIndexOf('@');
  const at = index <= 0 ? undefined : parseInstant(decode(text.slice(index + 1)));
  return at === undefined ? undefined : {index, at};
};

/**
 * Reads SITE/BRANCH or SITE/BRANCH@TIME: the site ends at the first slash, so that a branch may be called `feature/x`, and the time (RFC 3339) begins at the
 * last `@`, where what follows is one. Names may be written with percent signs, as `formatDeepLink` does. Undefined where the text is no such link.
 */
export const parseDeepLink = (text: string): DeepLink | undefined => {
  const slash = text.indexOf('/');
  const time = findTime(text);
  const [site, branch] = [decode(text.slice(0, slash)), decode(text.slice(slash + 1, time?.index))];
  // A slash behind the time would be one of the time's own, and it has none.
  return slash <= 0 || branch === '' ? undefined : {site, branch, at: time?.at};
};

/** Everything else could mean something to a shell, or to whoever reads links out of text. */
const encode = (text: string, safe: RegExp): string =>
  [...text.toWellFormed()].map(character => (safe.test(character) ? character : encodeCharacter(character))).join('');

const encodeCharacter = (character: string): string =>
  [...new TextEncoder().encode(character)].map(byte => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/**
 * The link to a place, or to a branch, as one word for a shell: letters of other scripts, blanks and signs are written with percent signs.
 * `parseDeepLink` reads the same place out of it.
 */
export const formatDeepLink = ({site, branch, at}: DeepLink): string => {
  // A leading minus sign would make an option of it.
  const sitePart = encode(site, /[\w.-]/).replace(/^-/, '%2D');
  const branchPart = encode(branch, /[\w./:+,-]/);
  return `${sitePart}/${branchPart}${at === undefined ? '' : `@${formatInstant(at).replace(/\.?0+Z$/, 'Z')}`}`;
};
