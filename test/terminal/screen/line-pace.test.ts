import {afterEach, describe, expect, test} from 'vitest';
import {createLinePace} from '#terminal/screen/line-pace.ts';
import {createScreen} from '#terminal/screen/screen.ts';
import {createEmulator, type Emulator} from '../../support/emulator.ts';
import {capabilitiesOf, TestClock, TestTerminal} from '../stage.ts';

const question = '\u001b[5n';

/** The pace of a line to a terminal that has answered, at once. */
const answering = () => {
  const pace = createLinePace(true);
  expect(pace.begin(-10)).toBe(question);
  pace.answered(-10);
  return pace;
};

describe('the pace of a line', () => {
  test('asks after two kilobytes whether the terminal has taken it, one question at a time', () => {
    const pace = answering();
    expect([pace.wrote(1000, 0), pace.wrote(1048, 1), pace.wrote(3000, 2)]).toEqual(['', question, '']);
    pace.answered(3);
    expect(pace.wrote(10, 4)).toBe(question);
  });

  test('a line that takes four seconds for four kilobytes is slow, and gets what it takes in a third of a second', () => {
    const pace = answering();
    pace.wrote(4096, 0);
    pace.answered(4096);
    expect([pace.isSlow(), pace.bytesMax()]).toEqual([true, 300]);
  });

  test('while much is on its way a frame waits, and the answer to a key half as long', () => {
    const pace = answering();
    pace.wrote(4096, 0);
    pace.answered(4096);
    pace.wrote(300, 5000);
    expect([pace.waitMs(false, 5001) > 0, pace.waitMs(true, 5001)]).toEqual([true, 0]);
    pace.wrote(300, 5002);
    expect(pace.waitMs(true, 5003)).toBeGreaterThan(0);
  });

  test('a far terminal is not slow: each answer takes as long', () => {
    const pace = createLinePace(true);
    pace.begin(-500);
    pace.answered(-100);
    for (const atMs of [0, 1000, 2000, 3000]) {
      pace.wrote(5000, atMs);
      pace.answered(atMs + 400);
    }
    expect([pace.isSlow(), pace.bytesMax()]).toEqual([false, 5000 * 2 * 1.25 ** 3]);
  });

  test('a line that is quick again is not slow any longer', () => {
    const pace = answering();
    pace.wrote(4096, 0);
    pace.answered(4096);
    for (let atMs = 5000; pace.isSlow() && atMs < 100_000; atMs += 1000) {
      pace.wrote(300, atMs);
      pace.answered(atMs + 20);
    }
    expect(pace.isSlow()).toBe(false);
    expect(pace.bytesMax()).toBeGreaterThan(3000);
  });

  test('nothing waits for a terminal that gives no answer, which is asked once', () => {
    const mute = createLinePace(true);
    expect(mute.begin(0)).toBe(question);
    expect([mute.wrote(7000, 0), mute.wrote(50_000, 1), mute.waitMs(false, 2)]).toEqual(['', '', 0]);
    expect(mute.bytesMax()).toBe(Number.POSITIVE_INFINITY);
    expect([mute.isAsked(1999), mute.isAsked(2000)]).toEqual([true, false]);
    const plain = createLinePace(false);
    expect([plain.begin(0), plain.wrote(5000, 0), plain.waitMs(false, 1)]).toEqual(['', '', 0]);
  });

  test('one that answers late is waited for from then on, and no longer once it has been silent for half a minute', () => {
    const pace = createLinePace(true);
    pace.begin(0);
    pace.wrote(50_000, 1);
    pace.answered(9000);
    expect([pace.isSlow(), pace.bytesMax()]).toEqual([false, 4096]);
    expect(pace.wrote(4096, 9001)).toBe(question);
    expect([pace.waitMs(false, 9002), pace.waitMs(false, 39_001), pace.waitMs(false, 39_002)]).toEqual([29_999, 0, 0]);
    expect([pace.isAsked(39_002), pace.bytesMax()]).toEqual([false, Number.POSITIVE_INFINITY]);
  });

  test('a line that takes much at once is quick', () => {
    const pace = answering();
    pace.wrote(20_000, 0);
    pace.answered(30);
    expect(pace.bytesMax()).toBe(32_768);
  });
});

let emulator: Emulator | undefined;
afterEach(() => {
  emulator?.close();
  emulator = undefined;
});

test('on a slow line a screen comes in parts, what a key asks for comes before the rest, and the last frame is whole in the end', async () => {
  const terminal = new TestTerminal();
  const clock = new TestClock();
  const paces: boolean[] = [];
  const screen = createScreen({
    stdout: Object.assign(terminal, {columns: 80, rows: 24}) as unknown as NodeJS.WriteStream,
    clock,
    capabilities: capabilitiesOf({TERM: 'xterm'}),
    onPace: isSlow => paces.push(isSlow),
  });
  const frameOf = (letter: string): string =>
    Array.from({length: 24}, (_, row) => `${row} ${letter.repeat(70)}`).join('\n');
  screen.enter();
  expect(terminal.writes.join('')).toContain(question);
  screen.noteReady();
  for (const letter of 'zy') {
    screen.stream.write(frameOf(letter));
    await clock.moveOn(20);
    await clock.moveOn(20);
  }
  expect(terminal.writes.join('').split(question)).toHaveLength(3);
  await clock.moveOn(20_000);
  screen.noteReady();
  expect(paces).toEqual([true]);
  screen.stream.write(frameOf('b'));
  await clock.moveOn(20);
  const rowsIn = (letter: string): number => terminal.writes.join('').split(letter.repeat(70)).length - 1;
  expect(rowsIn('b')).toBe(3);
  screen.noteKey();
  screen.stream.write(frameOf('c'));
  await clock.moveOn(0);
  expect([rowsIn('b'), rowsIn('c')]).toEqual([3, 3]);
  expect(terminal.writes.at(-1)).toContain(`\u001b[23;4H${'c'.repeat(70)}`);
  screen.stream.write(frameOf('d'));
  for (let part = 0; part < 40; part += 1) {
    await clock.moveOn(300);
    screen.noteReady();
    await clock.moveOn(20);
  }
  emulator = createEmulator(80, 24);
  await emulator.write(terminal.writes.join(''));
  expect(emulator.screenText()).toEqual(frameOf('d').split('\n'));
  // What the key asked for was shown whole before the next.
  expect(rowsIn('c')).toBe(24);
});
