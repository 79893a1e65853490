import {writeFileSync} from 'node:fs';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {createSeededRandom} from '../../../support/kubernetes/truth/seeded-random.ts';
import {createOpenedFolder, placeAfter, read, textsOf, timed} from './open-named-files.ts';

const seed = Number(process.env.SEED ?? 20_261_121);
const packings = {
  plain: (text: string) => text,
  gzip: (text: string) => gzipSync(text),
  zstd: (text: string) => zstdCompressSync(text),
};

/** Opens files, and reads all that they have, as one answer after the other brings it. */
const readAll = async (
  {open, path}: ReturnType<typeof createOpenedFolder>,
  names: readonly string[],
  how: {readonly isAllAtOnce: boolean} | {readonly isMerged: boolean},
): Promise<{readonly lines: readonly string[]; readonly sources: number; readonly answerMax: number}> => {
  const backend = await open(names.map(path), {follows: false, firstBytesMax: Number.POSITIVE_INFINITY, ...how});
  const lines: string[] = [];
  let window = await read(backend);
  let answerMax = 0;
  for (;;) {
    lines.push(...textsOf(window));
    answerMax = Math.max(answerMax, window.lines.join('').length);
    if (window.next === undefined) {
      return {lines, sources: window.pods.length, answerMax};
    }
    window = await read(backend, placeAfter(window));
  }
};

test.each(Array.from({length: 8}, (_, run) => seed + run))(
  'files and archives are put in order as they are read, as they are in memory: seed %i',
  async seed => {
    const random = createSeededRandom(seed);
    const folder = createOpenedFolder();
    const names = Array.from({length: random.between(2, 6)}, (_, index) => `${index}.log`);
    // Which comes first of two lines of one time depends on how quickly archives are unpacked, if all are put in order.
    const isPacked = random.next() < 0.5;
    for (const [index, name] of names.entries()) {
      let second = random.between(0, 100);
      const lines = Array.from({length: random.between(0, 400)}, (_, number) => {
        second = Math.max(0, second + random.between(-1, 4));
        const line = timed(second, `${name} ${number}`);
        return random.next() < 0.2 ? `  at ${name} ${number}\n` : isPacked ? line.replace('Z', `.00${index}Z`) : line;
      });
      const pack = (isPacked && random.pick(Object.values(packings))) || packings.plain;
      writeFileSync(folder.path(name), pack(lines.join('')));
    }
    const expected = await readAll(folder, names, {isAllAtOnce: true});
    expect(await readAll(folder, names, {isMerged: true})).toEqual({...expected, answerMax: expect.any(Number)});
  },
);

test('of files of several megabytes, an answer has no more than that of one file', async () => {
  const folder = createOpenedFolder();
  const names = ['a.log', 'b.log'];
  for (const [index, name] of names.entries()) {
    const lines = Array.from({length: 40_000}, (_, number) =>
      timed(2 * Math.floor(number / 40) + index, 'x'.repeat(80)),
    );
    writeFileSync(folder.path(name), lines.join(''));
  }
  const {lines, answerMax} = await readAll(folder, names, {isMerged: true});
  expect([lines.length, answerMax < 4 * 1024 * 1024]).toEqual([80_000, true]);
  expect(
    lines.map(line => line.slice(0, 20)).every((time, index, all) => index === 0 || (all[index - 1] ?? '') <= time),
  ).toBe(true);
});
