import {setImmediate as nextTurn} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createLogBodyReader, type LogBodyReader} from '#api/client/body/log-body-reader.ts';
import type {BlockTexts} from '#log/window/texts.ts';
import {finishWork} from '#log/work.ts';
import {anyCharacter} from '../../../support/any-character.ts';
import {runsOf} from '../../../support/thorough.ts';
import {withArray} from './with-array.ts';

const bodyOf = (data: readonly unknown[], change: Record<string, unknown> = {}, indent = 0): string =>
  JSON.stringify(
    {podNamesList: [{name: 'web-0'}], data, events: data.map(message => ({message})), sessionId: 's', ...change},
    null,
    indent,
  );

/** As the client calls it: the memory is another body's as soon as this one is read. */
const read = (reader: LogBodyReader, body: string): unknown => {
  const bytes = Buffer.from(body);
  try {
    return withArray(finishWork(reader.read(bytes)));
  } finally {
    bytes.fill('"');
  }
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

  test('keeps the very blocks of the lines it knows, and reads a small last one again', () => {
    const reader = createLogBodyReader();
    const blocksOf = (from: number, to: number): readonly unknown[] => {
      const {data} = finishWork(reader.read(Buffer.from(bodyOf(lines(from, to))))) as {data: BlockTexts};
      expect([...data]).toEqual(lines(from, to));
      return data.blocks;
    };
    const [first, second, third, fourth] = [
      [0, 3000],
      [10, 3010],
      [10, 3020],
      [2000, 3020],
    ].map(([from = 0, to = 0]) => blocksOf(from, to));
    expect(first?.length).toBeGreaterThan(2);
    for (const blocks of [second, third]) {
      expect(blocks?.length).toBe(first?.length);
      expect(blocks?.slice(0, -1).every((block, index) => block === first?.[index])).toBe(true);
    }
    expect(fourth?.length).toBeLessThan(first?.length ?? 0);
    expect(third).toEqual(expect.arrayContaining((fourth ?? []).slice(0, -1)));
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
    readAll(bodyOf([{x: 'y'}, line(1), line(2)]), bodyOf([line(2), line(3)]));
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

  test('of many lines, read a piece at a time, is whole, whatever stands where pieces might meet', () => {
    const tricky = [
      ',',
      '","',
      '\\',
      '\\","',
      ' ",',
      '"',
      ']',
      '],"events":[',
      '"},{"message":"',
      'é'.repeat(40),
      '😀',
      '\ud800',
      '',
    ];
    const many = Array.from({length: 4000}, (_, index) => line(index, tricky[index % tricky.length]));
    const bare = Array.from({length: 40_000}, (_, index) => tricky[(index * 7) % tricky.length] ?? '');
    for (const indent of [0, 1]) {
      readAll(bodyOf(many.slice(0, 3000), {}, indent), bodyOf(many.slice(100), {}, indent));
      readAll(bodyOf(bare, {}, indent), bodyOf([...bare.slice(20_000), 'new'], {}, indent));
    }
    const long = 'long '.repeat(100_000);
    readAll(bodyOf([line(0), long, line(1)]), bodyOf([long, line(1), `${long}more`, line(2)]));
    readAll(bodyOf([...many, 5 as unknown]), bodyOf([...many, {}]));
  });

  test('any sequence of windows of any lines gives what JSON.parse gives', () => {
    const text = fc.oneof(fc.constantFrom('a', '"', '\\', '",', '[]', '{}', '\u2028', '😀', '\ud800', ''), fc.string());
    const log = fc.array(text, {minLength: 1, maxLength: 120, size: 'max'});
    const windows = fc.array(fc.tuple(fc.nat(120), fc.nat(60), fc.constantFrom(0, 1)), {minLength: 2, maxLength: 12});
    fc.assert(
      fc.property(log, windows, (texts, cuts) => {
        readAll(...cuts.map(([from, count, indent]) => bodyOf(texts.slice(from, from + count), {}, indent)));
      }),
      {numRuns: runsOf(240)},
    );
  });
});

describe('a body as some service might send it', () => {
  /** Reads as JSON.parse does, or throws as it does. */
  const expectAgreement = (body: string, reader = createLogBodyReader()): void => {
    let isJson = true;
    try {
      JSON.parse(body);
    } catch {
      isJson = false;
    }
    if (!isJson) {
      expect(() => read(reader, body), body).toThrow(SyntaxError);
    } else if (body.trimStart().startsWith('{')) {
      expectSame(read(reader, body), body);
    } else {
      expect(read(reader, body)).toEqual(JSON.parse(body));
    }
  };

  const white = fc.constantFrom('', '', ' ', '\n', '\t\r\n  ');
  const text = fc.oneof(
    fc.constantFrom(',', '","', '\\', 'a\\",', '{"message":', ']', '}'),
    fc.string({unit: anyCharacter}),
  );
  /** As some service might write it: escapes that need not be, and those of JavaScript that JSON doesn't have. */
  const written = fc
    .tuple(text, fc.constantFrom('', '\\u00e9', '\\/', '\\ud83d\\ude00', '\\ud800', '\\u12', '\\x', '\\', '\u0001'))
    .map(([value, odd]) => `${JSON.stringify(value).slice(0, -1)}${odd}"`);
  const any = fc.oneof(
    {weight: 8, arbitrary: written},
    {weight: 1, arbitrary: fc.json()},
    {weight: 1, arbitrary: fc.constantFrom('', '01', '[]', '{"a":[{"b":"]}"}]}', 'nul', '-1e3')},
  );
  const name = fc.constantFrom(
    '"data"',
    '"events"',
    '"sessionId"',
    '"podNamesList"',
    '"d\\u0061ta"',
    '"__proto__"',
    '"a\nb"',
    'x',
  );
  const joined = (items: readonly string[], space: string, repeats: boolean): string =>
    items.map(item => `${space}${repeats ? `{"message":${item}}` : item}`).join(',');
  const document = fc
    .tuple(fc.array(any, {maxLength: 6}), white, fc.boolean(), fc.array(fc.tuple(name, any), {maxLength: 2}))
    .map(([items, space, repeats, fields]) =>
      [
        `{${space}"data":${space}[${joined(items, space, false)}${space}]`,
        `"events":[${joined(items, repeats ? '' : space, true)}]`,
        ...fields.map(([key, value]) => `${space}${key}${space}:${value}`),
      ].join(`${space},`),
    )
    .map(inside => `${inside}}`);

  test('is what JSON.parse makes of it, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(document, fc.json()), body => expectAgreement(body)),
      {numRuns: runsOf(2400)},
    );
  });

  test('with one byte that is another, anywhere, is so too', () => {
    const damaged = fc
      .tuple(
        fc.array(text, {minLength: 1, maxLength: 5}),
        fc.nat(),
        fc.constantFrom('"', ',', '\\', ']', '}', '\n', 'x', ''),
      )
      .map(([texts, at, piece]) => {
        const whole = bodyOf(texts);
        const index = at % whole.length;
        // Bytes of UTF-8 have no half surrogates.
        return (whole.slice(0, index) + piece + whole.slice(index + 1)).toWellFormed();
      });
    fc.assert(
      fc.property(damaged, body => expectAgreement(body)),
      {numRuns: runsOf(2400)},
    );
  });

  test('with one byte that is another, anywhere but in its events, is so too after the one before', () => {
    const windows = fc.tuple(
      fc.array(text, {minLength: 2, maxLength: 8}),
      fc.nat(8),
      fc.nat(),
      fc.constantFrom('"', ',', '\\', ']', '}', '\n', 'x', ''),
    );
    fc.assert(
      fc.property(windows, ([texts, from, at, piece]) => {
        const reader = createLogBodyReader();
        read(reader, bodyOf(texts.slice(0, 6)));
        const whole = bodyOf(texts.slice(from)).replace(/"events":.*,"sessionId"/su, '"sessionId"');
        const index = at % whole.length;
        expectAgreement((whole.slice(0, index) + piece + whole.slice(index + 1)).toWellFormed(), reader);
      }),
      {numRuns: runsOf(2400)},
    );
  });

  test('whose events look like its lines and are no JSON is refused', () => {
    for (const [line, event] of [
      ['"say \\",","next"', '{"message":"say \\"},{"message":","next"}'],
      // Two lines, and one event that holds both; what follows reaches to where two events would.
      ['"a", "b"', '{"message":"a", "b"}],"x":"yyy"}'],
      ['",","b"', '{"message":"},{"message":","b"}'],
      ['"a","b"', '{"message":{"message":"a"},"b"}'],
    ]) {
      expectAgreement(`{"data":[${line}],"events":[${event}]}`);
    }
  });
});

test('the lines of a window are let go of, although each window shares some with the one before', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  const reader = createLogBodyReader();
  const windowFrom = (first: number): BlockTexts => {
    const lines = Array.from({length: 4000}, (_, index) =>
      `2026-11-21T14:00:00.${first + index}Z line`.padEnd(200, '.'),
    );
    return (finishWork(reader.read(Buffer.from(bodyOf(lines)))) as {readonly data: BlockTexts}).data;
  };
  const first = new WeakRef(windowFrom(0).blockAt(0) ?? {});
  for (let window = 1; window < 6; window += 1) {
    windowFrom(window * 2000);
  }
  // What a weak reference has shown is held until the turn ends.
  await nextTurn();
  collect();
  expect(first.deref()).toBeUndefined();
});
