import {expect, test} from 'vitest';
import {createLogFrames} from '#service/docker/engine/engine-logs.ts';

const frame = (stream: 1 | 2, text: string): Buffer => {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
};

/** Reads frames in pieces of so many bytes. */
const read = (frames: readonly Buffer[], {pieceBytes = 1_000_000, joinsPieces = false} = {}) => {
  const chunks: Record<string, Buffer> = {};
  const reader = createLogFrames({
    joinsPieces,
    onData: (bytes, stream) => {
      chunks[stream] = Buffer.concat([chunks[stream] ?? Buffer.alloc(0), bytes]);
    },
  });
  const bytes = Buffer.concat(frames);
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    if (!reader.take(Buffer.from(bytes.subarray(start, start + pieceBytes)))) {
      return 'no frames';
    }
  }
  return Object.fromEntries(Object.entries(chunks).map(([stream, each]) => [stream, each.toString()]));
};

test.each([1, 3, 7, 100_000])('frames that come in pieces of %d bytes are the lines of their streams', pieceBytes => {
  const frames = [frame(1, 'T1 one\n'), frame(2, 'T2 oops\n'), frame(1, 'T3 two\n'), frame(1, 'T4 ä\n')];
  expect(read(frames, {pieceBytes})).toEqual({stdout: 'T1 one\nT3 two\nT4 ä\n', stderr: 'T2 oops\n'});
});

test('pieces of a long line become one line with one time', () => {
  const long = 'x'.repeat(16 * 1024);
  const frames = [frame(1, `T1 ${long}`), frame(2, 'T2 between\n'), frame(1, `T1 ${long}`), frame(1, 'T3 end\n')];
  expect(read(frames, {pieceBytes: 1_000})).toEqual({stdout: `T1 ${long}${long}end\n`, stderr: 'T2 between\n'});
});

test('what no newline ended is a line of its own once another time follows, except in a log of Podman', () => {
  const frames = [frame(1, 'T1 the end of a run'), frame(1, 'T2 next\n')];
  expect(read(frames)).toEqual({stdout: 'T1 the end of a run\nT2 next\n'});
  expect(read(frames, {joinsPieces: true})).toEqual({stdout: 'T1 the end of a runnext\n'});
});

test('what is no frame is refused', () => {
  expect(read([Buffer.from('<html>what is this</html>')])).toBe('no frames');
});

test('a frame of more than 64 MB is none', () => {
  const headerOf = (bytes: number): Buffer => {
    const header = frame(1, '');
    header.writeUInt32BE(bytes, 4);
    return header;
  };
  expect([read([headerOf(64 * 1024 * 1024)]), read([headerOf(64 * 1024 * 1024 + 1)])]).toEqual([{}, 'no frames']);
});

test('the beginning of a frame waits for the end of its stamp, 64 bytes at most', () => {
  const chunks: string[] = [];
  const reader = createLogFrames({joinsPieces: false, onData: bytes => chunks.push(bytes.toString())});
  const [header, text] = [frame(1, 'x'.repeat(100)).subarray(0, 8), 'x'.repeat(63)];
  reader.take(Buffer.from(header));
  reader.take(Buffer.from(text));
  expect(chunks).toEqual([]);
  reader.take(Buffer.from('x'));
  expect(chunks).toEqual([`${text}x`]);
});
