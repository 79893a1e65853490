import fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatInstant} from '#log/line/instant.ts';
import {createLogLines, type LogFront, logLineBytesMax} from '#service/containers/log-lines.ts';

const whole: LogFront = {isCut: false, dropsFirst: false};
const cut: LogFront = {isCut: true, dropsFirst: false};
const noon = '2026-11-22T12:00:00.000000001Z';

const read = (text: string | Buffer, front: LogFront = whole) => {
  const reader = createLogLines(front);
  const {lines} = reader.take(Buffer.from(text));
  const {lines: rest, fault} = reader.takeRest();
  return {lines: lines.map(({line}) => line), rest: rest.map(({line}) => line), fault};
};

test('writes stamps of any zone and length in UTC with nine decimals', () => {
  expect(
    read(`2026-11-22T21:00:00.000000001+09:00 a\n2026-11-22T12:00:00.1Z b\n2026-11-22T12:00:00Z c\n`).lines,
  ).toEqual([`${noon} a`, '2026-11-22T12:00:00.100000000Z b', '2026-11-22T12:00:00.000000000Z c']);
});

test('keeps the beginning of a line when the memory of its bytes is used again', () => {
  const reader = createLogLines(whole);
  const bytes = Buffer.from(`${noon} be`);
  reader.take(bytes);
  bytes.fill('x');
  expect(reader.take(Buffer.from('gin\n')).lines.map(({line}) => line)).toEqual([`${noon} begin`]);
});

test('passes text on as it is, with spaces, control characters and none at all', () => {
  expect(read(`${noon}  two  spaces \u001b[31m\r\n${noon} \n`).lines).toEqual([
    `${noon}  two  spaces \u001b[31m\r`,
    `${noon} `,
  ]);
});

test('a text without a stamp is the rest of a cut line at the front, and else a fault', () => {
  expect(read(`end of a long line\n${noon} a\n`, cut)).toEqual({lines: [`${noon} a`], rest: [], fault: undefined});
  expect(read(`${noon} a\ntoo many open files\n${noon} b\n`, cut)).toEqual({
    lines: [`${noon} a`],
    rest: [],
    fault: 'too many open files',
  });
  expect(read('no such container\n').fault).toBe('no such container');
  // With no line after it, nothing was cut.
  expect(read('unable to retrieve container logs', cut).fault).toBe('unable to retrieve container logs');
});

test('leaves out the first line of a tail, which may be the rest of a long one', () => {
  expect(read(`${noon} rest\n${noon} a\n`, {isCut: true, dropsFirst: true}).lines).toEqual([`${noon} a`]);
});

test('tells a last line without a newline apart', () => {
  expect(read(`${noon} a\n${noon} b`)).toEqual({lines: [`${noon} a`], rest: [`${noon} b`], fault: undefined});
});

test('a line of many pieces is one line', () => {
  const text = `${noon} ${'x'.repeat(900_000)}`;
  expect(read(`${text}\n`).lines).toEqual([text]);
});

test('cuts a line without an end into lines with the same stamp, wherever its bytes were cut', () => {
  const text = `${noon} ${'é'.repeat(1_200_000)}\n${noon} next\n`;
  const {lines} = read(text);
  expect(lines.map(line => [line.slice(0, 30), Buffer.byteLength(line) <= logLineBytesMax])).toEqual(
    Array.from({length: 4}, () => [noon, true]),
  );
  expect(
    lines
      .slice(0, 3)
      .map(line => line.slice(31))
      .join(''),
  ).toBe('é'.repeat(1_200_000));
});

test('gives the same lines however the bytes are cut', () => {
  const line = fc.record({
    stamp: fc.bigInt({min: 1_700_000_000_000_000_000n, max: 1_800_000_000_000_000_000n}),
    text: fc.oneof(fc.string({unit: 'grapheme', maxLength: 50}), fc.constant('x'.repeat(70_000))),
  });
  fc.assert(
    fc.property(
      fc.array(line, {minLength: 1, maxLength: 30}),
      fc.array(fc.nat(100_000), {maxLength: 30}),
      (lines, cuts) => {
        const text = lines.map(each => `${formatInstant(each.stamp)} ${each.text.replaceAll('\n', ' ')}\n`).join('');
        const bytes = Buffer.from(text);
        const expected = read(bytes).lines;
        const reader = createLogLines(whole);
        const ends = [...cuts.map(at => at % bytes.length), bytes.length].toSorted((a, b) => a - b);
        let start = 0;
        const got: string[] = [];
        for (const end of ends) {
          got.push(...reader.take(bytes.subarray(start, end)).lines.map(each => each.line));
          start = end;
        }
        expect(got).toEqual(expected);
      },
    ),
    {numRuns: 40},
  );
});

test('what the kubelet writes of a container that was removed is none of its last line, which no newline ended', () => {
  const words = `rpc error: code = NotFound desc = an error occurred when try to find container "${'0f'.repeat(32)}": not found`;
  expect(read(`${noon} panic: last words${words}`)).toEqual({
    lines: [],
    rest: [`${noon} panic: last words`],
    fault: words,
  });
  expect(read(`${noon} a\n${words}`, cut)).toEqual({lines: [`${noon} a`], rest: [], fault: words});
  expect(read(`${noon} rpc error: code = NotFound desc = no such user`).rest).toHaveLength(1);
});
