import {PassThrough} from 'node:stream';
import {afterEach, expect, onTestFinished, test, vi} from 'vitest';
import {createTerminalInput, type TerminalInput, type TerminalReport} from '#terminal/screen/terminal-input.ts';

let inputs: TerminalInput[] = [];
afterEach(() => {
  for (const input of inputs) {
    input.close();
  }
  inputs = [];
});

const isRawStream = (stream: object): stream is {setRawMode(isRaw: boolean): unknown; isTTY: boolean} =>
  'setRawMode' in stream && 'isTTY' in stream;

const open = () => {
  const source = Object.assign(new PassThrough(), {isTTY: true});
  const reports: TerminalReport[] = [];
  const input = createTerminalInput(source, report => reports.push(report));
  inputs.push(input);
  const {stream} = input;
  if (!isRawStream(stream)) {
    throw new Error('The stream is no terminal.');
  }
  // As Ink reads it.
  stream.setEncoding('utf8');
  let typed = '';
  let isEnded = false;
  stream.on('end', () => {
    isEnded = true;
  });
  stream.on('readable', () => {
    for (let chunk: unknown = stream.read(); chunk !== null; chunk = stream.read()) {
      typed += String(chunk);
    }
  });
  return {source, input, stream, reports, typed: () => typed, isEnded: () => isEnded};
};

test('is a terminal, and reads only while Ink wants it raw', async () => {
  const {source, stream, typed} = open();
  source.write('a');
  expect([stream.isTTY, source.listenerCount('data')]).toEqual([true, 0]);
  stream.setRawMode(true);
  await vi.waitFor(() => expect(typed()).toBe('a'));
  stream.setRawMode(false);
  expect(source.listenerCount('data')).toBe(0);
});

test('characters that are split arrive whole, and reports do not arrive', async () => {
  const {source, input, stream, reports, typed} = open();
  input.expectMouse();
  stream.setRawMode(true);
  const bytes = Buffer.from('ü\u001b[<64;10;5M漢');
  for (const byte of bytes) {
    source.write(Buffer.from([byte]));
  }
  await vi.waitFor(() => expect(typed()).toBe('ü漢'));
  expect(reports).toEqual([{kind: 'wheelUp', columnIndex: 9, rowIndex: 4}]);
});

test('Esc alone arrives after a moment', async () => {
  const {source, input, stream, typed} = open();
  input.expectMouse();
  stream.setRawMode(true);
  source.write('\u001b');
  await vi.waitFor(() => expect(typed()).toBe('\u001b'));
});

test.each(['nothing', 'the mouse'])(
  'a key whose bytes come 60 ms apart is one key, where %s is expected',
  async what => {
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
    onTestFinished(() => void vi.useRealTimers());
    const {source, input, stream, typed} = open();
    if (what === 'the mouse') {
      input.expectMouse();
    }
    stream.setRawMode(true);
    const afterBytes = async (bytes: string): Promise<string> => {
      source.write(bytes);
      await new Promise(resolve => setImmediate(resolve));
      vi.advanceTimersByTime(60);
      await new Promise(resolve => setImmediate(resolve));
      return typed();
    };
    expect(await afterBytes('a\u001b')).toBe('a');
    expect(await afterBytes('[')).toBe('a');
    expect(await afterBytes('1;5')).toBe('a');
    expect(await afterBytes('A')).toBe('a\u001b[1;5A');
    expect(await afterBytes('\u001bO')).toBe('a\u001b[1;5A');
    expect(await afterBytes('P')).toBe('a\u001b[1;5A\u001bOP');
  },
);

test('an answer is taken out while one is expected, a second one is not', async () => {
  const {source, input, stream, reports, typed} = open();
  const answer = '\u001b]11;rgb:0000/0000/0000\u0007';
  input.expectAnswer();
  stream.setRawMode(true);
  source.write(`a${answer}`);
  await vi.waitFor(() => expect(reports).toEqual([{kind: 'background', backdrop: 'dark'}]));
  source.write(`${answer}b`);
  await vi.waitFor(() => expect(typed()).toBe(`a${answer}b`));
});

test('the end of the terminal is the end of the stream, after what was held back', async () => {
  const {source, input, stream, typed, isEnded} = open();
  input.expectMouse();
  stream.setRawMode(true);
  source.end('q\u001b');
  await vi.waitFor(() => expect(isEnded()).toBe(true));
  expect(typed()).toBe('q\u001b');
});

test('a reader that is slow holds the source back, and loses nothing', async () => {
  const source = Object.assign(new PassThrough(), {isTTY: true});
  const input = createTerminalInput(source, () => {});
  inputs.push(input);
  const {stream} = input;
  if (!isRawStream(stream)) {
    throw new Error('The stream is no terminal.');
  }
  stream.setRawMode(true);
  const piece = 'x'.repeat(64 * 1024);
  const bytes = 64 * piece.length;
  for (let index = 0; index < 64; index += 1) {
    source.write(piece);
  }
  source.end();
  await vi.waitFor(() => expect(source.isPaused()).toBe(true));
  expect(stream.readableLength).toBeLessThan(bytes);
  let read = 0;
  for await (const chunk of stream) {
    read += chunk.length;
  }
  expect(read).toBe(bytes);
});
