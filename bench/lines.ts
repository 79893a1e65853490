/**
 * Measures what a key waits for at 80×24 where little comes through, or late: while a filter reads 92,000 held lines of a
 * file, on lines of 960 and 2,000 bytes a second while a file grows by 500 lines a second, and on one whose bytes take
 * 200 ms each way. The terminal answers as it reads. Run with `node bench/lines.ts [filter|slow|slower|far…]`.
 */
import {appendFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {spawn} from '@lydell/node-pty';
import {createEmulator} from '../test/support/emulator.ts';
import {printFigure} from './measure.ts';
import {quantile} from './terminal/quantile.ts';

const [columns, rows] = [80, 24];
const stepMs = 5;
const waitMsMax = 60_000;

/** Bytes a second to the terminal, and milliseconds that they take each way. */
type Line = {readonly bytesPerSecond: number; readonly delayMs: number};

const local: Line = {bytesPerSecond: Number.POSITIVE_INFINITY, delayMs: 0};

/** Opens a file in the built program, in a terminal behind a line. */
const openFile = (folder: string, file: string, {bytesPerSecond, delayMs}: Line) => {
  const pty = spawn(process.execPath, [join(import.meta.dirname, '../bin/branchlog.js'), 'open', file], {
    ...{name: 'xterm-256color', cols: columns, rows, cwd: folder, encoding: null},
    env: {PATH: process.env.PATH ?? '', HOME: folder, TZ: 'UTC', TERM: 'xterm-256color', LANG: 'C.UTF-8'},
  });
  const emulator = createEmulator(columns, rows);
  const waiting: {readonly fromMs: number; bytes: Buffer}[] = [];
  let [isEnded, allowance, bytesShown] = [false, 0, 0];
  pty.onData((data: Buffer | string) => {
    waiting.push({fromMs: performance.now() + delayMs, bytes: Buffer.from(data)});
    if (Number.isFinite(bytesPerSecond)) {
      // The line has no store: what it has no room for stays in the terminal's driver.
      pty.pause();
    }
  });
  const send = (bytes: string): void => {
    setTimeout(() => isEnded || pty.write(bytes), delayMs);
  };
  emulator.terminal.onData(send);
  const timer = setInterval(() => {
    allowance = Math.min(allowance + (bytesPerSecond * stepMs) / 1000, Math.max(1, bytesPerSecond / 50));
    for (let first = waiting[0]; first !== undefined && first.fromMs <= performance.now(); first = waiting[0]) {
      const taken = first.bytes.subarray(0, Math.floor(allowance));
      allowance -= taken.length;
      bytesShown += taken.length;
      void emulator.write(new Uint8Array(taken));
      if (taken.length < first.bytes.length) {
        first.bytes = first.bytes.subarray(taken.length);
        break;
      }
      waiting.shift();
    }
    if (waiting.length === 0) {
      pty.resume();
    }
  }, stepMs);
  return {
    send,
    bytesShown: () => bytesShown,
    screen: () => emulator.screenText(),
    /** Returns after how many milliseconds the screen is as wanted. */
    until: async (what: string, holds: (screen: readonly string[]) => boolean): Promise<number> => {
      const startMs = performance.now();
      while (!holds(emulator.screenText())) {
        if (performance.now() - startMs > waitMsMax) {
          throw new Error(`waited in vain for ${what}:\n${emulator.screenText().join('\n')}`);
        }
        await delay(1);
      }
      return performance.now() - startMs;
    },
    close: () => {
      isEnded = true;
      clearInterval(timer);
      pty.kill('SIGKILL');
      emulator.close();
    },
  };
};

const logLine = (index: number): string => {
  const time = new Date(Date.UTC(2026, 10, 21, 14) + index * 100).toISOString();
  const id = (index * 2_654_435_761) % 1_000_003;
  return `${time} INFO order=${id} customer=${id % 977} stored in ${index % 90} ms by worker-${index % 8}\n`;
};

const linesFrom = (from: number, count: number): string =>
  Array.from({length: count}, (_, index) => logLine(from + index)).join('');

/** Opens the help, and closes it again: both redraw all of the screen. Returns how long each took to be seen. */
const pressHelp = async ({send, until}: ReturnType<typeof openFile>): Promise<readonly number[]> => {
  const isOpen = (screen: readonly string[]): boolean => screen.some(row => row.includes('Keys on the log'));
  send('?');
  const opened = await until('the help', isOpen);
  send('?');
  return [opened, await until('the log', screen => !isOpen(screen))];
};

const report = (what: string, times: readonly number[], must: number): void => {
  printFigure({what: `${what}: a key, p50`, value: quantile(times, 0.5), unit: 'ms', must});
  printFigure({what: `${what}: a key, longest`, value: Math.max(...times), unit: 'ms', must});
};

const measureFilter = async (folder: string): Promise<void> => {
  const file = join(folder, 'held.log');
  const lineCount = 92_000;
  writeFileSync(file, linesFrom(0, lineCount));
  const program = openFile(folder, file, local);
  try {
    await program.until('the log', screen => screen.some(row => row.includes('worker-')));
    program.send('g');
    await program.until('the first line', screen => screen.some(row => row.includes('the log begins here')));
    await delay(2000);
    program.send('G');
    await delay(500);
    program.send('fworker-7');
    await delay(500);
    program.send('\r');
    const first = await program.until('the filtered rows', screen => {
      const lines = screen.filter(row => /^ {3}\d\d:/.test(row));
      return lines.length > 0 && lines.every(row => row.includes('worker-7'));
    });
    const times: number[] = [];
    for (let count = 0; count < 40; count += 1) {
      const before = program.screen().join('\n');
      program.send('k');
      times.push(await program.until('a row further up', screen => screen.join('\n') !== before));
    }
    printFigure({what: 'a filter of 92,000 held lines: its first rows', value: first, unit: 'ms', must: 50});
    report('meanwhile', times, 50);
  } finally {
    program.close();
  }
};

const measureSlow = async (folder: string, bytesPerSecond: number): Promise<void> => {
  const file = join(folder, `grows-${bytesPerSecond}.log`);
  writeFileSync(file, linesFrom(0, 500));
  const program = openFile(folder, file, {bytesPerSecond, delayMs: 0});
  let written = 500;
  await program.until('the log', screen => screen.some(row => row.includes('following')));
  const writer = setInterval(() => {
    appendFileSync(file, linesFrom(written, 50));
    written += 50;
  }, 100);
  try {
    // Until the terminal has answered once, nothing is known of the line.
    await delay(8000);
    const times: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      times.push(...(await pressHelp(program)));
      await delay(1500);
    }
    const isTold = program.screen().some(row => row.includes('slow line'));
    clearInterval(writer);
    const last = logLine(written - 1)
      .trim()
      .slice(-30, -1);
    await program.until('the last line', screen => screen.some(row => row.includes(last.slice(0, 12))));
    console.log(`${bytesPerSecond} B/s: ${written} lines, slow line told: ${isTold}\n${program.screen()[0]}`);
    report(`${bytesPerSecond} B/s, 500 lines a second`, times, 1000);
  } finally {
    clearInterval(writer);
    program.close();
  }
};

const measureFar = async (folder: string): Promise<void> => {
  const file = join(folder, 'far.log');
  writeFileSync(file, linesFrom(0, 2000));
  const program = openFile(folder, file, {...local, delayMs: 200});
  try {
    await program.until('the log', screen => screen.some(row => row.includes('following')));
    await delay(2000);
    const times: number[] = [];
    for (let count = 0; count < 10; count += 1) {
      times.push(...(await pressHelp(program)));
    }
    console.log(program.screen()[0]);
    report('200 ms each way', times, 500);
  } finally {
    program.close();
  }
};

const measures: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  filter: measureFilter,
  slow: folder => measureSlow(folder, 960),
  slower: folder => measureSlow(folder, 2000),
  far: measureFar,
};

const names = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'branchlog-bench-'));
try {
  for (const [name, measure] of Object.entries(measures)) {
    if (names.length === 0 || names.includes(name)) {
      await measure(folder);
    }
  }
} finally {
  rmSync(folder, {recursive: true, force: true});
}
process.exit(0);
