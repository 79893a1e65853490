import {expect, test} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import {createKnownLines} from '#service/command/commands/known-lines.ts';
import {knownLinesMax} from '#service/command/commands/line-memory.ts';

/** Lines such as `07 text` are timed, by their number; any other line has no time. */
const create = () =>
  createKnownLines(line => (/^\d+ /.test(line) ? instantFromMs(Number.parseInt(line, 10) * 1000) : undefined));

const afterRun = (lines: readonly string[]) => {
  const known = create();
  known.beginRun(true);
  known.takeNew(lines);
  return known;
};

test('takes everything of the first run', () => {
  const known = create();
  known.beginRun(true);
  expect(known.takeNew(['no time', '01 a', '02 b'])).toEqual(['no time', '01 a', '02 b']);
  expect(known.front()).toBe('joined');
});

test('skips the lines that a run repeats, and takes those after them', () => {
  const known = afterRun(['01 a', '02 b', '03 c']);
  known.beginRun(false);
  expect(known.takeNew(['02 b', '03 c', '04 d'])).toEqual(['04 d']);
  expect(known.front()).toBe('joined');
});

test('says that lines may be missing where a run begins with a line that was not there before', () => {
  const known = afterRun(['01 a', '02 b']);
  known.beginRun(false);
  expect(known.takeNew(['04 d', '05 e'])).toEqual(['04 d', '05 e']);
  expect(known.front()).toBe('broken');
});

test('counts copies: of three equal lines two are known if two were taken', () => {
  const known = afterRun(['01 a', '01 a']);
  known.beginRun(false);
  expect(known.takeNew(['01 a', '01 a', '01 a'])).toEqual(['01 a']);
});

test('takes a line that comes late among repeated ones', () => {
  const known = afterRun(['01 a', '03 c']);
  known.beginRun(false);
  expect(known.takeNew(['01 a', '02 late', '03 c'])).toEqual(['02 late']);
});

test('a line without a time is known only after the line it belongs to', () => {
  const known = afterRun(['01 a', '  at x', '02 b', '  at x']);
  known.beginRun(false);
  expect(known.takeNew(['02 b', '  at x', '  at y', '03 c', '  at x'])).toEqual(['  at y', '03 c', '  at x']);
});

test('the rest of a trace at the front goes with the first line that has a time', () => {
  const known = afterRun(['01 a', '  at x', '02 b']);
  known.beginRun(false);
  expect(known.takeNew(['  at x'])).toEqual([]);
  expect(known.takeNew(['02 b', '03 c'])).toEqual(['03 c']);
  known.beginRun(false);
  expect(known.takeNew(['  at z', '05 e'])).toEqual(['  at z', '05 e']);
  expect(known.front()).toBe('broken');
});

test('lines that wait for one with a time are given out when the wait ends', () => {
  const known = afterRun(['01 a']);
  known.beginRun(false);
  expect(known.takeNew(['no time'])).toEqual([]);
  expect(known.front()).toBe('open');
  expect(known.settle()).toEqual(['no time']);
  expect(known.front()).toBe('broken');
});

test('without any line with a time nothing is taken to be known', () => {
  const known = afterRun(['tick', 'tick']);
  known.beginRun(false);
  expect(known.front()).toBe('broken');
  expect(known.takeNew(['tick'])).toEqual(['tick']);
});

test('passes over what is older than everything remembered, with its trace, if there were earlier lines', () => {
  const known = create();
  known.restore(['05 e', '06 f'], true);
  known.beginRun(false);
  expect(known.takeNew(['03 c', '  at x', '04 d', '05 e', '06 f', '07 g'])).toEqual(['07 g']);
  expect(known.front()).toBe('joined');
});

test('takes an older line where every line is remembered', () => {
  const known = create();
  known.restore(['05 e', '06 f'], false);
  known.beginRun(false);
  expect(known.takeNew(['04 late', '05 e', '06 f'])).toEqual(['04 late']);
});

test('remembers a bounded number of lines', () => {
  const lines = Array.from({length: 3 * knownLinesMax}, (_, index) => `${index} x`);
  const known = afterRun(lines);
  known.beginRun(false);
  // All of it again: what is forgotten is older than what is remembered.
  expect(known.takeNew([...lines, `${lines.length} x`])).toEqual([`${lines.length} x`]);
});

test('a line older than all that is remembered is taken to be one that was forgotten', () => {
  const lines = Array.from({length: 3 * knownLinesMax}, (_, index) => `${index + 1} x`);
  const known = create();
  known.beginRun(true);
  for (let start = 0; start < lines.length; start += 1_000) {
    known.takeNew(lines.slice(start, start + 1_000));
  }
  known.beginRun(false);
  expect(known.takeNew(['00 late', ...lines.slice(-10)])).toEqual([]);
});

test('lines without a time wait for one with a time, a thousand at most', () => {
  const known = afterRun(['01 a']);
  known.beginRun(false);
  const rest = Array.from({length: 1_000}, (_, index) => `  at ${index}`);
  expect(known.takeNew(rest.slice(0, 999))).toEqual([]);
  expect(known.takeNew(rest.slice(999))).toEqual(rest);
  expect(known.front()).toBe('broken');
});

test('a trace belongs to a line that was forgotten if that is among the last thousand', () => {
  const newAfter = (rows: number): readonly string[] => {
    const first = ['01 a', ...Array.from({length: rows}, (_, index) => `  at ${index}`)];
    const trace = Array.from({length: knownLinesMax}, (_, index) => `  from ${index}`);
    const known = afterRun(first);
    known.takeNew(trace);
    known.beginRun(false);
    return known.takeNew([...first, ...trace, '02 b']);
  };
  expect([newAfter(999).length, newAfter(1_000).length]).toEqual([1, knownLinesMax + 1_000 + 2]);
});

test('what was forgotten is passed over also where it has the time of the oldest line remembered', () => {
  const rest = ['01 b', ...Array.from({length: knownLinesMax}, (_, index) => `${index + 2} c`)];
  const known = create();
  known.beginRun(true);
  known.takeNew(['00 first', '01 a']);
  known.takeNew(rest.slice(0, -1));
  known.takeNew(rest.slice(-1));
  known.beginRun(false);
  expect(known.takeNew(['00 first', '01 a', ...rest, '99999 new'])).toEqual(['99999 new']);
  expect(known.front()).toBe('joined');
});

test('a trace of more lines than are remembered is recognised, though its first line is forgotten', () => {
  const trace = Array.from({length: knownLinesMax}, (_, index) => `  at ${index}`);
  const known = afterRun(['01 a']);
  known.takeNew(trace);
  known.beginRun(false);
  expect(known.takeNew(['01 a', ...trace, '02 b'])).toEqual(['02 b']);
  expect(known.front()).toBe('joined');
});

test('a run that repeats some lines and goes on with new ones is recognised by the next run', () => {
  const known = afterRun(['01 a', '02 b', '03 c']);
  known.beginRun(false);
  const second = ['02 b', '05 e', '  at x', '03 c', '  at y', '06 f', '  at z', '04 late'];
  expect(known.takeNew(second)).toEqual(['05 e', '  at x', '  at y', '06 f', '  at z', '04 late']);
  known.beginRun(false);
  expect(known.takeNew([...second, '07 g'])).toEqual(['07 g']);
  expect(known.front()).toBe('joined');
});

test.each([10, 3_000])('recognises the last lines of a burst of short and of long lines: %i characters', chars => {
  const lines = Array.from({length: 25_000}, (_, index) =>
    index % 3 === 0 ? `${index} ${'x'.repeat(chars)}` : `  at ${index}`,
  );
  const known = create();
  known.beginRun(true);
  for (let start = 0; start < lines.length; start += 1_000) {
    known.takeNew(lines.slice(start, start + 1_000));
  }
  known.beginRun(false);
  expect(known.takeNew([...lines.slice(-knownLinesMax), '99999 new'])).toEqual(['99999 new']);
  expect(known.front()).toBe('joined');
});
