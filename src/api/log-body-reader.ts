import {findKnownFront, type KnownFront} from './known-items.ts';
import type {ParseJson} from './parse-body.ts';
import {type FieldPlace, findFields} from './scan-json.ts';

/**
 * Reads the bodies of one branch's log, one after the other. Windows overlap, so most of a body stood in the one before: that part
 * is recognised by its text and its lines are taken over, which costs a comparison of memory and no parsing; and `events`, which
 * repeats `data`, is never parsed from the second body on.
 */
export type LogBodyReader = {
  /** The body as `JSON.parse` gives it, from the second body on without `events`. Throws the `SyntaxError` of `JSON.parse`. */
  read: ParseJson;
};

type Known = {
  readonly lines: readonly string[];
  /** The text between the brackets of `data`. */
  readonly data: string;
};

export const createLogBodyReader = (): LogBodyReader => {
  /** What is known of the body before; of one that was read whole, how to find it out. */
  let known: (() => Known | undefined) | undefined;

  const readWhole = (text: string): unknown => {
    const json: unknown = JSON.parse(text);
    const lines = stringsOf(json);
    known = lines && rememberWhole(text, lines);
    return json;
  };

  const read: ParseJson = (text, asciiBytes) => {
    const before = known?.();
    if (before === undefined) {
      return readWhole(text);
    }
    let data: {readonly start: number; readonly end: number; readonly lines: readonly string[]} | undefined;
    const fields = findFields(text, (name, start) => {
      if (name === 'data') {
        const front = findKnownFront(text, start, before.data);
        const lines = front && takeOver(text, before, front);
        data = front && lines && {start, end: front.end, lines};
        return data?.end;
      }
      return name === 'events' && data ? foreseeEventsEnd(text, start, data) : undefined;
    });
    if (fields === undefined || data === undefined || !areDistinct(fields)) {
      return readWhole(text);
    }
    const {start, end, lines} = data;
    // A slice of the text would keep all of it; bytes make a text of its own.
    const inside = asciiBytes?.toString('latin1', start + 1, end - 1) ?? text.slice(start + 1, end - 1);
    known = remember(lines, inside);
    return Object.fromEntries([
      ...fields
        .filter(({name}) => name !== 'data' && name !== 'events')
        .map(({name, start, end}) => [name, JSON.parse(text.slice(start, end)) as unknown]),
      ['data', lines],
    ]);
  };

  return {read};
};

// Made outside of `read`, whose variables they would keep alive, the text of the whole body among them.
const remember = (lines: readonly string[], inside: string) => (): Known => ({lines, data: inside.trim()});
const rememberWhole = (body: string, lines: readonly string[]) => (): Known | undefined => locate(body, lines);

/** The lines that both bodies have, as they were read from the first, and the new ones. */
const takeOver = (text: string, before: Known, front: KnownFront): readonly string[] | undefined => {
  const leftCount = countItems(before.data.slice(0, front.beforeIndex));
  const added: unknown = JSON.parse(
    `[${text
      .slice(front.knownEnd, front.end - 1)
      .trimStart()
      .replace(/^,/, '')}]`,
  );
  const lines = isStrings(added) ? [...before.lines.slice(leftCount), ...added] : undefined;
  return lines;
};

const countItems = (front: string): number => {
  const items: unknown = JSON.parse(`[${front.trimEnd().replace(/,$/, '')}]`);
  return Array.isArray(items) ? items.length : 0;
};

const locate = (body: string, lines: readonly string[]): Known | undefined => {
  const fields = findFields(body);
  const place = fields?.find(({name}) => name === 'data');
  return fields === undefined || place === undefined || !areDistinct(fields)
    ? undefined
    : {lines, data: body.slice(place.start + 1, place.end - 1).trim()};
};

const eventStart = '{"message":';

/**
 * Where `events` ends if it repeats `data` letter by letter, each line in an object of its own, which is what the specification says of it. Undefined
 * where it visibly does not; that it does where it seems so is not checked, since nothing of it is used.
 */
const foreseeEventsEnd = (
  text: string,
  start: number,
  data: {readonly start: number; readonly end: number; readonly lines: readonly string[]},
): number | undefined => {
  const end = start + (data.end - data.start) + data.lines.length * (eventStart.length + 1);
  return text.startsWith(`[${eventStart}"`, start) && text.startsWith('"}]', end - 3) ? end : undefined;
};

/** With a name that is there twice, or written with an escape, `JSON.parse` has the last word. */
const areDistinct = (fields: readonly FieldPlace[]): boolean =>
  new Set(fields.map(({name}) => name)).size === fields.length && !fields.some(({name}) => name.includes('\\'));

const stringsOf = (json: unknown): readonly string[] | undefined => {
  const data = typeof json === 'object' && json !== null && 'data' in json ? json.data : undefined;
  return isStrings(data) && data.length > 0 ? data : undefined;
};

const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string');

/** Each holds the text of its last body: these are the logs that are watched at once. */
const readersMax = 8;

/** The readers of the logs asked for last, by branch. */
export const createLogBodyReaders = (): {of(branch: string): LogBodyReader} => {
  const readers = new Map<string, LogBodyReader>();
  return {
    of: branch => {
      const reader = readers.get(branch) ?? createLogBodyReader();
      // A Map keeps the order of insertion: the one asked for last goes to the end.
      readers.delete(branch);
      readers.set(branch, reader);
      const [oldest] = readers.keys();
      if (readers.size > readersMax && oldest !== undefined) {
        readers.delete(oldest);
      }
      return reader;
    },
  };
};
