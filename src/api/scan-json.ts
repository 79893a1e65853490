/**
 * Finds where JSON values end, without reading them. A value that is damaged inside is passed over as if it were whole, so this
 * is for values whose text is parsed, or compared with one that was. -1 where a value does not end within the text.
 */

const quote = 0x22;
const backslash = 0x5c;

const isWhite = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** The index of the next character that is no white space. */
export const skipWhite = (text: string, start: number): number => {
  let index = start;
  while (isWhite(text.charCodeAt(index))) {
    index += 1;
  }
  return index;
};

/** The index behind a string that starts at `start` with its quote. */
export const skipString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) {
      backslashes += 1;
    }
    if (backslashes % 2 === 0) {
      return end + 1;
    }
    end = text.indexOf('"', end + 1);
  }
  return -1;
};

/** The index behind a value that starts at `start`. */
export const skipValue = (text: string, start: number): number => {
  const first = text.charCodeAt(start);
  if (first === quote) {
    return skipString(text, start);
  }
  if (first !== 0x7b && first !== 0x5b) {
    return skipScalar(text, start);
  }
  let depth = 0;
  for (let index = start; index < text.length; ) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = skipString(text, index);
      if (index === -1) {
        return -1;
      }
      continue;
    }
    if (code === 0x7b || code === 0x5b) {
      depth += 1;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) {
        return index + 1;
      }
    }
    index += 1;
  }
  return -1;
};

const skipScalar = (text: string, start: number): number => {
  let index = start;
  while (index < text.length && !isWhite(text.charCodeAt(index)) && !',]}'.includes(text[index] ?? '')) {
    index += 1;
  }
  return index > start && index < text.length ? index : -1;
};

/** Where the values of an object's fields stand, by name. */
export type FieldPlace = {readonly name: string; readonly start: number; readonly end: number};

/**
 * The fields of the object that a text is, in order. `skip` may tell where a value ends without it being looked through; it answers
 * undefined where it does not know. Answers undefined where the text is no object that ends with the text.
 */
export const findFields = (
  text: string,
  skip: (name: string, start: number) => number | undefined = () => undefined,
): readonly FieldPlace[] | undefined => {
  const fields: FieldPlace[] = [];
  let index = skipWhite(text, 0);
  if (text[index] !== '{') {
    return undefined;
  }
  index = skipWhite(text, index + 1);
  if (text[index] === '}') {
    return skipWhite(text, index + 1) === text.length ? fields : undefined;
  }
  for (;;) {
    const nameEnd = text[index] === '"' ? skipString(text, index) : -1;
    const colon = nameEnd === -1 ? -1 : skipWhite(text, nameEnd);
    if (colon === -1 || text[colon] !== ':') {
      return undefined;
    }
    const name = text.slice(index + 1, nameEnd - 1);
    const start = skipWhite(text, colon + 1);
    const end = skip(name, start) ?? skipValue(text, start);
    if (end === -1) {
      return undefined;
    }
    fields.push({name, start, end});
    index = skipWhite(text, end);
    if (text[index] === '}') {
      return skipWhite(text, index + 1) === text.length ? fields : undefined;
    }
    if (text[index] !== ',') {
      return undefined;
    }
    index = skipWhite(text, index + 1);
  }
};
