import {Writable} from 'node:stream';
import {afterEach, expect, test} from 'vitest';
import type {FrameClock} from '../../src/terminal/frame-clock.ts';
import {createScreen, type Screen} from '../../src/terminal/screen.ts';
import {createEmulator, type Emulator} from '../support/emulator.ts';

/** A clock that stands still until it is moved. */
class TestClock implements FrameClock {
  #nowMs = 1000;
  #orders: {atMs: number; run: () => void}[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, run: () => void): () => void {
    const order = {atMs: this.#nowMs + delayMs, run};
    this.#orders.push(order);
    return () => {
      this.#orders = this.#orders.filter(other => other !== order);
    };
  }

  /** Moves on, carries out what is due, and lets what was written arrive. */
  async moveOn(ms: number): Promise<void> {
    this.#nowMs += ms;
    const due = this.#orders.filter(({atMs}) => atMs <= this.#nowMs);
    this.#orders = this.#orders.filter(({atMs}) => atMs > this.#nowMs);
    for (const {run} of due) {
      run();
    }
    await new Promise(resolve => setImmediate(resolve));
  }
}

/** A terminal's stdout that takes what is written at once, or only when told. */
class TestTerminal extends Writable {
  readonly isTTY = true;
  columns = 40;
  rows = 6;
  readonly writes: string[] = [];
  isStalled = false;
  #taken: (() => void)[] = [];

  constructor() {
    super({decodeStrings: false});
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.writes.push(chunk);
    if (this.isStalled) {
      this.#taken.push(done);
    } else {
      done();
    }
  }

  async drain(): Promise<void> {
    this.isStalled = false;
    for (const done of this.#taken.splice(0)) {
      done();
    }
    await new Promise(resolve => setImmediate(resolve));
  }
}

type Stage = {screen: Screen; terminal: TestTerminal; clock: TestClock};

const setUp = (isPlain = false): Stage => {
  const terminal = new TestTerminal();
  const clock = new TestClock();
  // The screen uses of a tty what the test terminal has.
  const stdout = terminal as unknown as NodeJS.WriteStream;
  return {terminal, clock, screen: createScreen({stdout, clock, isPlain})};
};

const setUpEntered = async (): Promise<Stage> => {
  const stage = setUp();
  stage.screen.enter();
  stage.screen.stream.write('first');
  await stage.clock.moveOn(0);
  await stage.clock.moveOn(0);
  stage.terminal.writes.length = 0;
  return stage;
};

let emulator: Emulator | undefined;
afterEach(() => {
  emulator?.close();
  emulator = undefined;
});

test('paints the first frame as soon as it comes', async () => {
  const {screen, terminal, clock} = setUp();
  screen.enter();
  screen.stream.write('hello\nworld');
  await clock.moveOn(0);
  await clock.moveOn(0);
  emulator = createEmulator(40, 6);
  await emulator.write(terminal.writes.join(''));
  expect(emulator.screenText()).toEqual(['hello', 'world', '', '', '', '']);
});

test('paints at most one frame in a 60th of a second, the newest', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  for (const text of ['a', 'b', 'c']) {
    screen.stream.write(text);
    await clock.moveOn(5);
  }
  expect(terminal.writes).toEqual([]);
  await clock.moveOn(5);
  expect(terminal.writes).toEqual(['\u001b[1Hc\u001b[K']);
  expect(screen.counters.framesDropped).toBe(2);
});

test('paints the answer to a key at once', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.noteKey();
  screen.stream.write('fires');
  await clock.moveOn(0);
  expect(terminal.writes).toEqual(['\u001b[1;4Hes']);
});

test('writes nothing for an equal frame, nor for one that was taken back before its turn', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.stream.write('first');
  screen.stream.write('other');
  screen.stream.write('first');
  await clock.moveOn(100);
  expect(terminal.writes).toEqual([]);
});

test('keeps only the newest frame while the terminal takes nothing, and paints it when it does', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  terminal.isStalled = true;
  screen.stream.write('1');
  await clock.moveOn(100);
  for (const text of ['2', '3', '4']) {
    screen.stream.write(text);
    screen.noteKey();
    await clock.moveOn(100);
  }
  expect(terminal.writes).toEqual(['\u001b[1H1\u001b[K']);
  await terminal.drain();
  await clock.moveOn(100);
  expect(terminal.writes).toEqual(['\u001b[1H1\u001b[K', '\u001b[1H4']);
});

test('tells Ink’s control writes from frames', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  for (const control of ['', '\u001b[?25h', '\u001b[?25l', '\u001b[?1049h\u001b[?25l', '\u001b[<u', '\n']) {
    screen.stream.write(control);
  }
  await clock.moveOn(100);
  expect(terminal.writes).toEqual([]);
  screen.stream.write('\u001b[?2004h');
  expect(terminal.writes).toEqual(['\u001b[?2004h']);
});

test('lays out once for many steps of a resize, and repaints whole', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  const sizes: string[] = [];
  screen.stream.on('resize', () => {
    sizes.push(`${screen.stream.columns}x${screen.stream.rows}`);
    screen.stream.write(`size ${screen.size.columns}`);
  });
  for (const columns of [30, 5000, 20]) {
    terminal.columns = columns;
    terminal.emit('resize');
  }
  await clock.moveOn(20);
  await clock.moveOn(20);
  expect(sizes).toEqual(['20x6']);
  expect(terminal.writes).toEqual(['\u001b[?2026h\u001b[0m\u001b[r\u001b[2J\u001b[1Hsize 20\u001b[?2026l']);
});

test('takes a size of 0×0 for 80×24 and clamps one of 5000×5000', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  for (const [columns, rows, expected] of [
    [0, 0, {columns: 80, rows: 24}],
    [5000, 5000, {columns: 500, rows: 200}],
    [1, 1, {columns: 1, rows: 1}],
  ] as const) {
    terminal.columns = columns;
    terminal.rows = rows;
    terminal.emit('resize');
    await clock.moveOn(20);
    expect(screen.size).toEqual(expected);
  }
});

test('gives the terminal back once, however often it is told to', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.leave();
  screen.leave();
  screen.stream.write('after');
  await clock.moveOn(100);
  expect(terminal.writes).toEqual([
    '\u001b[?2026l\u001b[0m\u001b[r\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l\u001b[?25h',
  ]);
});

test('keeps frames while it is suspended and paints the newest on return', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.suspend();
  screen.stream.write('second');
  await clock.moveOn(100);
  expect(terminal.writes).toHaveLength(1);
  terminal.writes.length = 0;
  screen.resume();
  await clock.moveOn(0);
  await clock.moveOn(100);
  emulator = createEmulator(40, 6);
  await emulator.write(terminal.writes.join(''));
  expect(emulator.isAltScreenActive()).toBe(true);
  expect(emulator.screenText()[0]).toBe('second');
});

test('draws everything anew on repaint', async () => {
  const {screen, terminal, clock} = await setUpEntered();
  screen.repaint();
  await clock.moveOn(0);
  expect(terminal.writes).toEqual(['\u001b[?2026h\u001b[0m\u001b[r\u001b[2J\u001b[1Hfirst\u001b[?2026l']);
});

test('writes only the last frame, without colours, to a terminal that takes no control sequences', async () => {
  const {screen, terminal, clock} = setUp(true);
  screen.enter();
  screen.stream.write('first');
  await clock.moveOn(100);
  screen.stream.write('\u001b[31mlast\u001b[39m  \nrow');
  await clock.moveOn(100);
  expect(terminal.writes).toEqual([]);
  screen.leave();
  expect(terminal.writes).toEqual(['last\nrow\n']);
});

test('counts bytes and frames', async () => {
  const {screen, terminal, clock} = setUp();
  screen.enter();
  screen.stream.write('é');
  await clock.moveOn(0);
  await clock.moveOn(0);
  expect(screen.counters.bytesWritten).toBe(Buffer.byteLength(terminal.writes.join('')));
  expect(screen.counters.framesPainted).toBe(1);
});
