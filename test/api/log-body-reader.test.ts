import {isAscii} from 'node:buffer';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createLogBodyReader, type LogBodyReader} from '../../src/api/log-body-reader.ts';

const bodyOf = (data: readonly unknown[], change: Record<string, unknown> = {}, indent = 0): string =>
  JSON.stringify(
    {podNamesList: [{name: 'web-0'}], data, events: data.map(message => ({message})), sessionId: 's', ...change},
    null,
    indent,
  );

/** As the client calls it: with the bytes where all is ASCII. */
const read = (reader: LogBodyReader, body: string): unknown => {
  const bytes = Buffer.from(body);
  return reader.read(body, isAscii(bytes) ? bytes : undefined);
};

/** What a reader must give: the body as JSON.parse reads it; `events` may be missing. */
const expectSame = (json: unknown, body: string): void => {
  const {events: _, ...wanted} = JSON.parse(body) as Record<string, unknown>;
  const {events: __, ...got} = json as Record<string, unknown>;
  expect(got).toEqual(wanted);
};

const readAll = (...bodies: readonly string[]): void => {
  const reader = createLogBodyReader();
  for (const body of bodies) {
    expectSame(read(reader, body), body);
  }
};

const line = (index: number, text = `GET /product/${index} "quoted" \\ and é`): string =>
  `2026-11-21T14:02:11.${String(index).padStart(9, '0')}Z ${text}`;
const lines = (from: number, to: number): readonly string[] =>
  Array.from({length: to - from}, (_, index) => line(from + index));

describe('a body read after the one before', () => {
  test('gives what JSON.parse gives where windows overlap, touch, repeat or jump', () => {
    readAll(
      bodyOf(lines(0, 50)),
      bodyOf(lines(10, 60)),
      bodyOf(lines(60, 110)),
      bodyOf(lines(60, 110)),
      bodyOf(lines(500, 540)),
    );
  });

  test('keeps the very strings of the lines it knows', () => {
    const reader = createLogBodyReader();
    const first = read(reader, bodyOf(lines(0, 50))) as {data: string[]};
    const second = read(reader, bodyOf(lines(10, 60))) as {data: string[]; events?: unknown};
    expect(second.data).toEqual(lines(10, 60));
    expect(second.data[0]).toBe(first.data[10]);
    // Only a body that was recognised leaves the events out.
    expect(second.events).toBeUndefined();
  });

  test('of other white space, and with fields in another order, is read as well', () => {
    readAll(bodyOf(lines(0, 9), {}, 2), bodyOf(lines(3, 12), {}, 2), bodyOf(lines(5, 14)));
    const reordered = JSON.stringify({sessionId: 's', events: [], data: lines(6, 15), podNamesList: []});
    readAll(bodyOf(lines(5, 14)), reordered, bodyOf(lines(7, 16)));
  });

  test('is read whole where lines came late, copies stand in a row, or it is empty', () => {
    readAll(
      bodyOf(lines(0, 9)),
      bodyOf([...lines(2, 5), line(4, 'late'), ...lines(5, 11)]),
      bodyOf([]),
      bodyOf(lines(3, 4)),
    );
    const copies = Array.from({length: 40}, () => line(1, 'the same'));
    readAll(bodyOf(copies), bodyOf([...copies, line(2)]), bodyOf([...copies.slice(0, 7), line(2), line(3)]));
  });

  test('with items that are no strings is handed on as it is', () => {
    readAll(bodyOf([line(1), 5, null, line(2)]), bodyOf([5, null, line(2), line(3)]), bodyOf([line(2), line(3), {}]));
  });

  test('with a field that is there twice means what JSON.parse says', () => {
    const twice = `{"data":${JSON.stringify(lines(1, 9))},"data":${JSON.stringify(lines(3, 12))}}`;
    readAll(bodyOf(lines(0, 9)), twice, bodyOf(lines(4, 13)));
  });

  test('with events that repeat the lines in another form, or stand in front of them, is read as well', () => {
    const other = {events: lines(3, 12).map(message => ({message, level: 'info'}))};
    readAll(
      bodyOf(lines(0, 9)),
      bodyOf(lines(3, 12), other),
      bodyOf(lines(4, 13), {events: []}),
      bodyOf(lines(5, 14), {events: 'none'}),
    );
  });

  test('that is cut short or no JSON throws, and the next good one is read', () => {
    const reader = createLogBodyReader();
    read(reader, bodyOf(lines(0, 50)));
    const good = bodyOf(lines(10, 60));
    for (const bad of [
      good.slice(0, -1),
      good.slice(0, 900),
      `${good}x`,
      '',
      '[]x',
      '<html>',
      good.replace('"podNamesList":[', '"podNamesList":[,'),
    ]) {
      expect(() => read(reader, bad)).toThrow(SyntaxError);
    }
    expectSame(read(reader, good), good);
  });

  test('whose text looks like an item inside another line is not mistaken', () => {
    const tricky = line(3, `\\","${line(4)}","`);
    readAll(bodyOf([line(1), tricky, line(4)]), bodyOf([line(4), line(5)]), bodyOf([tricky, line(4), line(5)]));
  });

  test('any sequence of windows of any lines gives what JSON.parse gives', () => {
    const text = fc.oneof(fc.constantFrom('a', '"', '\\', '",', '[]', '{}', '\u2028', '😀', '\ud800', ''), fc.string());
    const log = fc.array(text, {minLength: 1, maxLength: 120, size: 'max'});
    const windows = fc.array(fc.tuple(fc.nat(120), fc.nat(60), fc.constantFrom(0, 1)), {minLength: 2, maxLength: 12});
    fc.assert(
      fc.property(log, windows, (texts, cuts) => {
        readAll(...cuts.map(([from, count, indent]) => bodyOf(texts.slice(from, from + count), {}, indent)));
      }),
      {numRuns: 300},
    );
  });
});
