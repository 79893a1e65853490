import {type JsonVisitor, walkingJson} from '#log/text/walk-json.ts';
import type {Work} from '#log/work.ts';
import {createJsonGauge} from '../../body/json-gauge.ts';
import {textOfUtf8} from '../../body/utf8-text.ts';
import {skipWhite} from './scan-json.ts';

/** Smaller bodies are parsed in one go. */
const bytesAtOnceMax = 4 * 1024 * 1024;

/** How much is gauged before a pause: some milliseconds. */
const gaugedBytes = 1024 * 1024;

/**
 * Parses a body of valid UTF-8 as `JSON.parse` does, but piece by piece if it is large. Throws a `SyntaxError`, or a
 * `RangeError` for too many brackets to be data.
 */
export function* parseJson(body: Buffer): Work<unknown> {
  const canBeParsed = createJsonGauge();
  for (let start = 0; start < body.length; start += gaugedBytes) {
    if (!canBeParsed(body.subarray(start, start + gaugedBytes))) {
      throw new RangeError('too many brackets');
    }
    yield;
  }
  if (body.length <= bytesAtOnceMax) {
    return JSON.parse(textOfUtf8(body)) as unknown;
  }
  const builder = createBuilder(body);
  if ((yield* findJsonFault(body, builder)) !== undefined) {
    throw new SyntaxError('The body is not JSON.');
  }
  return builder.value();
}

const ignored: JsonVisitor = {onOpen: () => {}, onClose: () => {}, onKey: () => {}, onScalar: () => {}};

/**
 * Returns the offset at which a body stops being JSON, its length if it merely ends too early, and undefined if it is
 * JSON. V8's own message quotes the body, which may hold secrets, and gives no position for most errors.
 */
export function* findJsonFault(body: Buffer, visitor: JsonVisitor = ignored): Work<number | undefined> {
  // In latin1 one code unit is one byte.
  const end = yield* walkingJson(body.toString('latin1'), 0, visitor, Number.POSITIVE_INFINITY);
  if (end < 0) {
    return ~end;
  }
  const after = skipWhite(body, end);
  return after === body.length ? undefined : after;
}

/** Builds the value of a walked body. */
const createBuilder = (body: Buffer): JsonVisitor & {readonly value: () => unknown} => {
  // The outermost one holds the value itself.
  const open: {readonly items: unknown[]; readonly names: string[]}[] = [{items: [], names: []}];
  const add = (item: unknown): void => {
    open.at(-1)?.items.push(item);
  };
  const parse = (start: number, end: number): unknown => JSON.parse(textOfUtf8(body, start, end));
  return {
    onOpen: () => open.push({items: [], names: []}),
    onClose: isObject => {
      const {items = [], names = []} = open.pop() ?? {};
      add(isObject ? Object.fromEntries(items.map((item, index) => [names[index] ?? '', item])) : items);
    },
    onKey: (start, end) => open.at(-1)?.names.push(String(parse(start, end))),
    onScalar: (start, end) => add(parse(start, end)),
    value: () => open[0]?.items[0],
  };
};
