import {Writable} from 'node:stream';
import {expect, test} from 'vitest';
import {createLineOutput} from '../../../src/terminal/lifecycle/line-output.ts';

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

const setUp = () => {
  const terminal = new SlowTerminal();
  // Of a terminal only what a Writable has is asked for.
  const output = createLineOutput(terminal as unknown as NodeJS.WriteStream);
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
