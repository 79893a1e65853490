/** What a container or a logger writes before a record is shorter. */
const prefixCharsMax = 512;

const recordStart = /\{\s{0,8}"/;

/**
 * Returns where a JSON record may begin in a line: at the first brace followed by a name, if the text before it ends in
 * a space or a sign. -1 if there is none.
 */
export const findRecordStart = (text: string): number => {
  if (text.startsWith('{')) {
    return 0;
  }
  const head = text.length > prefixCharsMax ? text.slice(0, prefixCharsMax) : text;
  const start = head.search(recordStart);
  return start > 0 && /[\s:|=\])>-]/.test(head.charAt(start - 1)) ? start : -1;
};

/** Monolog writes its empty context or extra after the other one. */
const rest = /^\s*(?:\[\]|\{\})?\s*$/;

/** Checks whether the text after a record belongs to it: nothing, or an empty list or record. */
export const isRecordEnd = (text: string, end: number): boolean => text.length - end < 16 && rest.test(text.slice(end));

/** Decodes a JSON string, given with its quotes. */
export const decodeJsonString = (token: string): string =>
  token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
