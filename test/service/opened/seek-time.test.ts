import {writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {parseInstant} from '../../../src/log/line/instant.ts';
import {readRange} from '../../../src/service/lines/last-lines.ts';
import {seekTime} from '../../../src/service/opened/seek-time.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('seek');
});
afterEach(() => folder.remove());

const lineCount = 40_000;
const timeOf = (index: number): string => new Date(Date.UTC(2026, 10, 21) + index * 1_000).toISOString();

test('the place of a time is found in a few reads, at the beginning of a line, whatever stands between the times', async () => {
  const path = join(folder.path, 'app.log');
  const trace = `  at ${'x'.repeat(40)}\n`.repeat(3);
  writeFileSync(
    path,
    Array.from({length: lineCount}, (_, index) => `${timeOf(index)} line ${index}\n${trace}`).join(''),
  );
  const file = await open(path);
  let read = 0;
  const readTime = (line: string) => {
    read += 1;
    return parseInstant(line.split(' ')[0] ?? '');
  };
  try {
    const {size} = await file.stat();
    for (const index of [0, 1, 12_345, lineCount - 1, lineCount + 10]) {
      const since = parseInstant(timeOf(index)) ?? 0n;
      const {offset, blockOffset, order} = await seekTime(file, size, since, readTime);
      const before = await readRange(file, Math.max(0, offset - 1), offset);
      const text = (await readRange(file, offset, size)).toString();
      const first = parseInstant(text.split(' ')[0] ?? '');
      expect(before.toString(), 'a line begins here').toMatch(/^\n?$/);
      expect([order, blockOffset <= offset]).toEqual(['kept', true]);
      expect(index >= lineCount || text.includes(`line ${index}\n`), `line ${index} is not left out`).toBe(true);
      expect(index >= lineCount || first === since, 'it is the first line since then').toBe(true);
    }
    expect(read).toBeLessThan(lineCount / 2);
  } finally {
    await file.close();
  }
});
