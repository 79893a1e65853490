/** What a container or a logger writes before a record is shorter. */
const prefixCharsMax = 512;

const recordStart = /\{\s{0,8}"/;

/**
 * Where in a line a record in JSON may begin: at the first brace with a name behind it, if what stands before it ends in a blank
 * or a sign. -1 where there is none.
 */
export const findRecordStart = (text: string): number => {
  if (text.startsWith('{')) {
    return 0;
  }
  const head = text.length > prefixCharsMax ? text.slice(0, prefixCharsMax) : text;
  const start = head.search(recordStart);
  return start > 0 && /[\s:|=\])>-]/.test(head.charAt(start - 1)) ? start : -1;
};

/** Monolog writes its empty context or extra behind the other one. */
const rest = /^\s*(?:\[\]|\{\})?\s*$/;

/** Whether what stands behind a record belongs to it: nothing, or an empty list or record. */
export const isRecordEnd = (text: string, end: number): boolean => text.length - end < 16 && rest.test(text.slice(end));

/** The text of a string in JSON, given with its quotes. */
export const decodeJsonString = (token: string): string =>
  token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
