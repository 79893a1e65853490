import {afterEach, describe, expect, test} from 'vitest';
import {createLinePace} from '#terminal/screen/line-pace.ts';
import {createScreen} from '#terminal/screen/screen.ts';
import {createEmulator, type Emulator} from '../../support/emulator.ts';
import {capabilitiesOf, TestClock, TestTerminal} from '../stage.ts';

const question = '\u001b[5n';

describe('the pace of a line', () => {
  test('asks after two kilobytes whether the terminal has taken it, one question at a time', () => {
    const pace = createLinePace(true);
    expect([pace.wrote(1000, 0), pace.wrote(1048, 1), pace.wrote(3000, 2)]).toEqual(['', question, '']);
    pace.answered(3);
    expect(pace.wrote(10, 4)).toBe(question);
  });

  test('a line that takes four seconds for four kilobytes is slow, and gets what it takes in a third of a second', () => {
    const pace = createLinePace(true);
    pace.wrote(4096, 0);
    pace.answered(4096);
    expect([pace.isSlow(), pace.bytesMax()]).toEqual([true, 300]);
  });

  test('while much is on its way a frame waits, and the answer to a key half as long', () => {
    const pace = createLinePace(true);
    pace.wrote(4096, 0);
    pace.answered(4096);
    pace.wrote(300, 5000);
    expect([pace.waitMs(false, 5001) > 0, pace.waitMs(true, 5001)]).toEqual([true, 0]);
    pace.wrote(300, 5002);
    expect(pace.waitMs(true, 5003)).toBeGreaterThan(0);
  });

  test('a far terminal is not slow: each answer takes as long', () => {
    const pace = createLinePace(true);
    for (const atMs of [0, 1000, 2000, 3000]) {
      pace.wrote(5000, atMs);
      pace.answered(atMs + 400);
    }
    expect([pace.isSlow(), pace.bytesMax()]).toEqual([false, 32_768]);
  });

  test('a line that is quick again is not slow any longer', () => {
    const pace = createLinePace(true);
    pace.wrote(4096, 0);
    pace.answered(4096);
    for (let atMs = 5000; pace.isSlow() && atMs < 100_000; atMs += 1000) {
      pace.wrote(300, atMs);
      pace.answered(atMs + 20);
    }
    expect(pace.isSlow()).toBe(false);
    expect(pace.bytesMax()).toBeGreaterThan(3000);
  });

  test('a terminal that gives no answer is asked once, and one that is not asked never waits', () => {
    const mute = createLinePace(true);
    mute.wrote(7000, 0);
    expect([mute.waitMs(false, 5999), mute.waitMs(false, 6000)]).toEqual([1, 0]);
    expect([mute.wrote(5000, 7000), mute.waitMs(false, 7001), mute.bytesMax()]).toEqual([
      '',
      0,
      Number.POSITIVE_INFINITY,
    ]);
    const plain = createLinePace(false);
    expect([plain.wrote(5000, 0), plain.waitMs(false, 1)]).toEqual(['', 0]);
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
  for (const letter of 'zy') {
    screen.stream.write(frameOf(letter));
    await clock.moveOn(20);
    await clock.moveOn(20);
  }
  expect(terminal.writes.join('')).toContain(question);
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
