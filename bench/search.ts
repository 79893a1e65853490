/**
 * Searches 200 MB of buffered lines in the search thread, and the same text in a file with ripgrep, round by round.
 * Measures milliseconds from the request to the last answer, and to the first answer with a hit. Run by `npm run
 * bench`.
 */
import {execFileSync, spawnSync} from 'node:child_process';
import {closeSync, mkdtempSync, openSync, rmSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createSearchHost} from '#app/search/search-host.ts';
import {createBuffer, type LineBuffer, sliceEntries} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {textOf} from '#log/line/entry.ts';
import {createMatches} from '#log/pattern/matches.ts';
import {type Pattern, parsePattern} from '#log/pattern/parse-pattern.ts';
import {applyWhole, createLineFilter} from '#log/view/line-filter.ts';
import {makeLine} from './bodies.ts';
import {median, printFigure, timeMs} from './measure.ts';

const textBytes = 200e6;
const windowLines = 20_000;
const rounds = 7;
const bufferBytesMax = 1e9;

const searches: readonly {readonly query: string; readonly rg: readonly string[]; readonly mustMs: number}[] = [
  {query: 'product/777777', rg: ['-i', '-F', 'product/777777'], mustMs: 150},
  {query: 'connection refused', rg: ['-i', '-F', 'connection refused'], mustMs: 150},
  {query: 'OutOfMemoryError', rg: ['-F', 'OutOfMemoryError'], mustMs: 150},
  {query: 're:product/\\d+77777 ', rg: ['-i', 'product/[0-9]+77777 '], mustMs: 500},
  {query: 're:(timeout|refused) after \\d+', rg: ['-i', '(timeout|refused) after [0-9]+'], mustMs: 500},
  {query: 're:"GET [^"]*" 5\\d\\d ', rg: ['"GET [^"]*" 5[0-9][0-9] '], mustMs: 500},
  {query: 'GET', rg: ['-F', 'GET'], mustMs: 500},
];

const fill = (): LineBuffer => {
  let buffer = createBuffer(bufferBytesMax);
  for (let index = 0; buffer.chunks.reduce((sum, {bytes}) => sum + bytes, 0) < textBytes; ) {
    const edit = editBuffer(buffer);
    for (const end = index + windowLines; index < end; index++) {
      const raw = makeLine(index);
      edit.insert({
        kind: 'line',
        id: edit.takeId(),
        at: BigInt(index),
        raw,
        textIndex: raw.indexOf(' ') + 1,
        late: false,
      });
    }
    buffer = edit.finish();
  }
  return buffer;
};

const writeTexts = (buffer: LineBuffer, path: string): void => {
  const file = openSync(path, 'w');
  for (let index = 0; index < buffer.entryCount; index += windowLines) {
    const texts = sliceEntries(buffer, index, windowLines).map(entry => (entry.kind === 'line' ? textOf(entry) : ''));
    writeSync(file, `${texts.join('\n')}\n`);
  }
  closeSync(file);
};

const patternOf = (query: string): Pattern => {
  const pattern = parsePattern(query);
  if ('error' in pattern) {
    throw new Error(pattern.error);
  }
  return pattern;
};

type Searched = {readonly allMs: number; readonly firstMs: number | undefined; readonly hits: number};

let onMatched: (hits: number, chunks: number) => void = () => {};
const host = createSearchHost({
  onMatched: (_, results) =>
    onMatched(
      results.reduce((sum, [, offsets]) => sum + offsets.length, 0),
      results.length,
    ),
  onFoundSpans: () => {},
  onFailed: (_, sentence) => {
    throw new Error(sentence);
  },
});

let searchId = 0;
const search = (buffer: LineBuffer, query: string): Promise<Searched> =>
  new Promise(resolve => {
    const patternId = searchId++;
    const startMs = performance.now();
    let firstMs: number | undefined;
    let hits = 0;
    let left = buffer.chunks.length;
    onMatched = (hitCount, chunkCount) => {
      hits += hitCount;
      left -= chunkCount;
      if (hitCount > 0) {
        firstMs ??= performance.now() - startMs;
      }
      if (left === 0) {
        host.cancel(patternId);
        resolve({allMs: performance.now() - startMs, firstMs, hits});
      }
    };
    host.match(patternId, patternOf(query), buffer.chunks.toReversed());
  });

/** Returns how many lines ripgrep finds. */
const countWithRg = (options: readonly string[], path: string): number =>
  Number(spawnSync('rg', ['--count', '--no-config', ...options, path], {encoding: 'utf8'}).stdout.trim() || 0);

const hasRg = (): boolean => spawnSync('rg', ['--version']).status === 0;

const benchSearch = async (buffer: LineBuffer, path: string | undefined): Promise<void> => {
  for (const {query, rg, mustMs} of searches) {
    const all: number[] = [];
    const first: number[] = [];
    const rgMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const {allMs, firstMs, hits} = await search(buffer, query);
      all.push(allMs);
      first.push(...(firstMs === undefined ? [] : [firstMs]));
      if (path !== undefined) {
        let found = 0;
        rgMs.push(
          timeMs(() => {
            found = countWithRg(rg, path);
          }),
        );
        if (found !== hits) {
          throw new Error(`${query}: ${hits} lines were found, ripgrep finds ${found}`);
        }
      }
    }
    const beside = path === undefined ? '' : `, rg ${median(rgMs).toFixed(0)} ms`;
    printFigure({what: `search 200 MB for ${query}${beside}`, value: median(all), unit: 'ms', must: mustMs});
    if (query === 'GET') {
      printFigure({what: 'its first hit', value: median(first), unit: 'ms', must: 50});
    }
  }
};

/** Measures the cost of a new window while a filter is set, and of setting a filter. */
const benchFilter = async (buffer: LineBuffer): Promise<void> => {
  const matches = createMatches();
  const results = new Promise<void>(resolve => {
    const filling = createSearchHost({
      onMatched: (_, found) => {
        for (const [chunk, offsets] of found) {
          matches.take(chunk, offsets);
        }
        if (matches.pendingIn(buffer).length === 0) {
          filling.close();
          resolve();
        }
      },
      onFoundSpans: () => {},
      onFailed: () => {},
    });
    filling.match(0, patternOf('7 HTTP'), matches.pendingIn(buffer));
  });
  await results;
  const filter = createLineFilter({includes: [matches], excludes: [], levelMin: 0, contextLines: 2});
  const firstMs = timeMs(() => applyWhole(filter, buffer));
  const times = Array.from({length: 20}, () => {
    const edit = editBuffer(buffer);
    const at = BigInt(buffer.entryCount);
    edit.insert({kind: 'line', id: edit.takeId(), at, raw: 'one more', textIndex: 0, late: false});
    const after = edit.finish();
    return timeMs(() => {
      matches.carry(buffer, after);
      matches.pendingIn(after);
      filter.apply(after);
    });
  });
  console.log(`a filter over ${buffer.chunks.length} chunks set: ${firstMs.toFixed(0)} ms on the main thread`);
  printFigure({
    what: `a filter of ${buffer.entryCount.toLocaleString('en-US')} lines after one more line`,
    value: median(times),
    unit: 'ms',
    must: 2,
  });
};

const buffer = fill();
// The thread alone does not keep the process alive.
const wait = setInterval(() => {}, 1000);
const folder = mkdtempSync(join(tmpdir(), 'branchlog-bench-'));
const path = join(folder, 'texts.log');
try {
  if (hasRg()) {
    writeTexts(buffer, path);
    execFileSync('cat', [path], {stdio: 'ignore'});
  } else {
    console.log('ripgrep is not installed: nothing is measured beside.');
  }
  await search(buffer, 'warm');
  await benchSearch(buffer, hasRg() ? path : undefined);
  await benchFilter(buffer);
} finally {
  clearInterval(wait);
  host.close();
  rmSync(folder, {recursive: true, force: true});
}
