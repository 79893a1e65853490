/** A generator of random numbers from 0 (inclusive) to 1 (exclusive) that repeats for a seed (mulberry32). */
export const createRandom = (seed: number): (() => number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Pieces that parsers stumble over. */
const pieces: readonly string[] = [
  '"__proto__"',
  '\\u202e',
  '\u001b]0;title\u0007',
  '\u001b[2J',
  '\u009b31m',
  '\u202e\u2066',
  '\u0000',
  '1e999',
  '-0',
  '[['.repeat(50),
  '{"a":'.repeat(50),
  'null',
  '""',
  '\\ud800',
  '\ufeff',
  '😀'.repeat(20),
  'e\u0301\u0301\u0301\u0301\u0301\u0301',
  '2026-11-21T14:00:00.000000000Z ',
  '9'.repeat(400),
  '\r\n',
  "'''",
  '%s%n',
];

/** Changes some bytes: flips, inserts, removes and repeats ranges, or puts in one of the pieces. */
export const mutate = (sample: Buffer, random: () => number): Buffer => {
  const below = (count: number): number => Math.floor(random() * count);
  let bytes = sample;
  for (let change = 1 + below(6); change > 0; change -= 1) {
    const start = below(bytes.length + 1);
    const end = Math.min(bytes.length, start + below(40));
    const middle = [
      () => Buffer.from([below(256)]),
      () => Buffer.alloc(0),
      () => Buffer.concat([bytes.subarray(start, end), bytes.subarray(start, end)]),
      () => Buffer.from(pieces[below(pieces.length)] ?? ''),
      () => Buffer.from(Array.from({length: below(8)}, () => below(256))),
    ][below(5)];
    bytes = Buffer.concat([bytes.subarray(0, start), middle?.() ?? bytes, bytes.subarray(end)]);
  }
  return bytes;
};
