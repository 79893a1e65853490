import {Writable} from 'node:stream';
import {expect, test} from 'vitest';
import {createLineOutput} from '#terminal/screen/line-output.ts';

/** A terminal that takes what is written when it is told to. */
class SlowTerminal extends Writable {
  readonly taken: string[] = [];
  readonly #under: (() => void)[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.taken.push(chunk.toString());
    this.#under.push(done);
  }

  async take(): Promise<void> {
    for (let done = this.#under.shift(); done !== undefined; done = this.#under.shift()) {
      done();
      await new Promise(resolve => setImmediate(resolve));
    }
  }
}

const setUp = (hasUtf8 = true) => {
  const terminal = new SlowTerminal();
  // Of a terminal only what a Writable has is asked for.
  const output = createLineOutput(terminal as unknown as NodeJS.WriteStream, {hasUtf8});
  return {terminal, output};
};

test('lines pass as they are; the line feed and the empty text that Ink ends with do not', async () => {
  const {terminal, output} = setUp();
  output.enter();
  output.stream.write('one\ntwo\n');
  output.stream.write('\n');
  output.stream.write('');
  output.leave();
  output.leave();
  await terminal.take();
  expect(terminal.taken).toEqual(['\u001b[?2004h', 'one\ntwo\n', '\u001b[?2004l']);
});

test('a terminal without UTF-8 gets only ASCII', async () => {
  const {terminal, output} = setUp(false);
  output.stream.write('no site is called “café”…\n');
  await terminal.take();
  expect(terminal.taken).toEqual(['no site is called "caf?"~\n']);
});

test('it is busy while more is under way than a screen holds, and no longer when that was taken', async () => {
  const {terminal, output} = setUp();
  output.enter();
  expect(output.isBusy()).toBe(false);
  output.stream.write(`${'x'.repeat(20_000)}\n`);
  expect(output.isBusy()).toBe(true);
  await terminal.take();
  expect(output.isBusy()).toBe(false);
});

test('the marks of pasted text are off while the program is stopped', async () => {
  const {terminal, output} = setUp();
  output.enter();
  output.suspend();
  output.resume();
  output.suspend();
  output.leave();
  await terminal.take();
  expect(terminal.taken).toEqual(['\u001b[?2004h', '\u001b[?2004l', '\u001b[?2004h', '\u001b[?2004l']);
});

test('it is busy from 16 KiB on, whatever was written before', async () => {
  const {terminal, output} = setUp();
  output.stream.write('é'.repeat(8 * 1024));
  expect(output.isBusy()).toBe(false);
  output.stream.write('x');
  expect(output.isBusy()).toBe(true);
  await terminal.take();
  expect(terminal.taken).toHaveLength(2);
});

test('writing waits for the terminal only while the program is stopped and all was taken', async () => {
  const {terminal, output} = setUp();
  const modes: boolean[] = [];
  Object.assign(terminal, {_handle: {setBlocking: (isBlocking: boolean) => modes.push(isBlocking)}});
  output.enter();
  output.stream.write('one\n');
  await terminal.take();
  expect(modes).toEqual([false]);
  output.suspend();
  expect(modes).toEqual([false]);
  await terminal.take();
  expect(modes).toEqual([false, true]);
  output.resume();
  expect(modes).toEqual([false, true, false]);
});

test('what was never entered is neither left nor resumed, and a terminal that is gone is not written to', async () => {
  const {terminal, output} = setUp();
  output.suspend();
  output.resume();
  output.leave();
  expect(terminal.taken).toEqual([]);
  terminal.destroy();
  output.enter();
  output.stream.write('x\n');
  expect(terminal.taken).toEqual([]);
});

test('Ink is told of no terminal, and of a size', () => {
  const {output} = setUp();
  expect([output.stream.isTTY, output.stream.columns, output.stream.rows]).toEqual([false, 80, 24]);
});
