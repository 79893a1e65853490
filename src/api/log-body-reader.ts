import {findKnownFront, type KnownFront} from './known-items.ts';
import {type FieldPlace, findFields} from './scan-json.ts';

/**
 * Reads the bodies of one branch's log, one after the other. Windows overlap, so most of a body stood in the one before: that part
 * is recognised by its text and its lines are taken over, which costs a comparison of memory and no parsing; and `events`, which
 * repeats `data`, is never parsed from the second body on.
 */
export type LogBodyReader = {
  /** The body as `JSON.parse` gives it, without `events`. Throws the `SyntaxError` of `JSON.parse`. */
  read(text: string): unknown;
};

type Known = {
  readonly lines: readonly string[];
  /** The text of the body, until the next one asks where its arrays stand. */
  readonly body: string | undefined;
  readonly data: string;
  readonly events: string;
};

export const createLogBodyReader = (): LogBodyReader => {
  let known: Known | undefined;

  const readWhole = (text: string): unknown => {
    const json: unknown = JSON.parse(text);
    const lines = stringsOf(json);
    known = lines === undefined ? undefined : {lines, body: text, data: '', events: ''};
    return json;
  };

  const read = (text: string): unknown => {
    const before = known?.body === undefined ? known : locate(known, known.body);
    if (before === undefined) {
      return readWhole(text);
    }
    let front: KnownFront | undefined;
    const fields = findFields(text, (name, start) => {
      if (name === 'data') {
        front = findKnownFront(text, start, before.data);
        return front?.end;
      }
      return name === 'events' ? findKnownFront(text, start, before.events)?.end : undefined;
    });
    if (fields === undefined || front === undefined || !areDistinct(fields)) {
      return readWhole(text);
    }
    const data = takeOver(text, before, front);
    if (data === undefined) {
      return readWhole(text);
    }
    known = {lines: data, body: undefined, ...arraysOf(text, fields)};
    return Object.fromEntries([
      ...fields
        .filter(({name}) => name !== 'data' && name !== 'events')
        .map(({name, start, end}) => [name, JSON.parse(text.slice(start, end)) as unknown]),
      ['data', data],
    ]);
  };

  return {read};
};

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

const locate = (known: Known, body: string): Known | undefined => {
  const fields = findFields(body);
  return fields === undefined || !areDistinct(fields)
    ? undefined
    : {lines: known.lines, body: undefined, ...arraysOf(body, fields)};
};

/** The text between the brackets of both arrays; empty where one is missing. */
const arraysOf = (text: string, fields: readonly FieldPlace[]): {readonly data: string; readonly events: string} => {
  const inside = (wanted: string): string => {
    const place = fields.find(({name}) => name === wanted);
    return place === undefined || text[place.start] !== '[' ? '' : text.slice(place.start + 1, place.end - 1).trim();
  };
  return {data: inside('data'), events: inside('events')};
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
