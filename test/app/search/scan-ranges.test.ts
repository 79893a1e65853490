import {closeSync, openSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {scanRanges} from '#app/search/scan-ranges.ts';
import {createBlockScanner} from '#app/search/search-thread/search-worker.ts';
import {createMatcher} from '#log/pattern/matcher.ts';
import {parsePattern} from '#log/pattern/parse-pattern.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
let descriptor: number | undefined;
beforeEach(() => {
  folder = createTempFolder('scan');
});
afterEach(() => {
  if (descriptor !== undefined) {
    closeSync(descriptor);
    descriptor = undefined;
  }
  folder.remove();
});

const write = (content: string): number => {
  const path = join(folder.path, 'app.log');
  writeFileSync(path, content);
  descriptor = openSync(path, 'r');
  return descriptor;
};

const patternOf = (query: string) => {
  const pattern = parsePattern(query);
  return 'error' in pattern ? expect.unreachable(pattern.error) : pattern;
};

/** Returns the text at the first and at the last match of some bytes. */
const scan = (content: string, query: string, from = 0, to = Buffer.byteLength(content)) => {
  const pattern = patternOf(query);
  const {matchesLine} = createMatcher(pattern);
  const bytes = Buffer.from(content);
  const open = write(content);
  return [false, true].map(isLast => {
    const offset = createBlockScanner()({descriptor: open, from, to, isLast}, pattern, matchesLine);
    return offset === undefined ? undefined : bytes.toString('utf8', offset).split('\n')[0];
  });
};

const text = 'first Error\nsecond error é\r\nthird\nfourth error';

test.each([
  ['error', ['Error', 'error']],
  ['Error', ['Error', 'Error']],
  ['second error é', ['second error é\r', 'second error é\r']],
  ['error É', [undefined, undefined]],
  ['SECOND', [undefined, undefined]],
  ['re:^second.*é$', ['second error é\r', 'second error é\r']],
  ['re:\\berror$', ['first Error', 'fourth error']],
  ['re:d\\nf', [undefined, undefined]],
  ['a.b', [undefined, undefined]],
])('the first and the last match of %s are found', (query, expected) => {
  expect(scan(text, query)).toEqual(expected);
});

test('a block has the lines that begin in it, and the texts', () => {
  const from = text.indexOf('Error') + 1;
  const to = Buffer.byteLength(text.slice(0, text.indexOf('fourth'))) + 1;
  expect([scan(text, 'error', from, to), scan(text, 're:error', from, to)]).toEqual([
    ['error é\r', 'error é\r'],
    ['second error é\r', 'fourth error'],
  ]);
});

test('a text is found wherever it is in a large block, once with another one in sight and once alone', () => {
  for (const place of [0, 65_530, 65_535, 65_536, 131_065, 199_990]) {
    const filled = (byte: number): string => `${'.'.repeat(byte)}NEEDLE ${byte}\n`;
    const alone = `${filled(place)}${'.'.repeat(200_000 - place)}`;
    expect(scan(alone, 'needle')).toEqual([`NEEDLE ${place}`, `NEEDLE ${place}`]);
    const twice = `${filled(place)}${filled(70_000)}`;
    expect(scan(twice, 'needle')).toEqual([`NEEDLE ${place}`, 'NEEDLE 70000']);
    expect(scan(alone, 'needle', 0, place)).toEqual([undefined, undefined]);
  }
});

test('what is far within a line of many blocks is found', () => {
  const long = `${'x'.repeat(300_000)}needle${'y'.repeat(300_000)}`;
  expect(scan(long, 're:needle', 200_000, 500_000)[0]?.includes('needle')).toBe(true);
});

test('files are searched block by block in a thread, with progress, until the search is cancelled', async () => {
  const lines = Array.from({length: 200_000}, (_, index) => `line ${index} of some text that is long enough\n`);
  const content = lines.join('');
  const range = {file: 7, name: 'app.log', descriptor: write(content), from: 0, to: content.length};
  const shares: number[] = [];
  const search = (query: string, direction: 'earlier' | 'later', signal = new AbortController().signal) =>
    scanRanges({
      pattern: patternOf(query),
      ranges: [range],
      direction,
      signal,
      onProgress: ({doneBytes, allBytes}) => shares.push(doneBytes / allBytes),
    });
  expect(await search('line 17 of', 'earlier')).toEqual([{file: 7, offset: content.indexOf('line 17 of')}]);
  expect([shares.length > 0, shares.toSorted((a, b) => a - b)]).toEqual([true, shares]);
  expect(await search('re:line 19999[89]', 'later')).toEqual([{file: 7, offset: content.indexOf('line 199998 of')}]);
  expect(await search('nowhere', 'earlier')).toEqual([]);
  const cancelling = new AbortController();
  const cancelled = search('nowhere', 'earlier', cancelling.signal);
  cancelling.abort(new Error('cancelled'));
  await expect(cancelled).rejects.toThrow('cancelled');
});
