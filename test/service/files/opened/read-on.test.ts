import {execFileSync} from 'node:child_process';
import {appendFileSync, existsSync, renameSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {Readable} from 'node:stream';
import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {isProgram} from '#base/system/programs.ts';
import type {ServedWindow} from '#service/backend/backend.ts';
import {createOpenedFolder, placeAfter, read, readUntil, textsOf, timed} from './open-named-files.ts';

test('what is appended comes next, over a rotation, and nothing twice', async () => {
  const {path, open} = createOpenedFolder();
  writeFileSync(path('app.log'), timed(1, 'one'));
  const opened = await open([path('app.log')]);
  const first = await read(opened);
  appendFileSync(path('app.log'), timed(2, 'two'));
  const second = await readUntil(opened, await read(opened, placeAfter(first)), ({lines}) => lines.length > 0);
  renameSync(path('app.log'), path('app.log.1'));
  appendFileSync(path('app.log.1'), timed(3, 'three'));
  writeFileSync(path('app.log'), timed(4, 'four'));
  const seen: string[] = [];
  await readUntil(opened, await read(opened, placeAfter(second)), window => {
    seen.push(...textsOf(window).map(text => text.slice(21)));
    return seen.includes('four');
  });
  expect([textsOf(second).map(text => text.slice(21)), seen]).toEqual([['two'], ['three', 'four']]);
});

test('a file that is removed and made anew right after it was opened leaves no gap', async () => {
  const {path, open, warnings} = createOpenedFolder();
  writeFileSync(path('app.log'), timed(1, 'one'));
  const opened = await open([path('app.log')]);
  rmSync(path('app.log'));
  writeFileSync(path('app.log'), timed(2, 'two'));
  const seen: string[] = [];
  const last = await readUntil(opened, await read(opened), window => {
    seen.push(...textsOf(window).map(text => text.slice(21)));
    return seen.includes('two');
  });
  expect([seen, last.numbering?.losses, warnings]).toEqual([['one', 'two'], [], []]);
});

test('a stream is read only as it is taken, to its last line, and its end is told', async () => {
  const {open} = createOpenedFolder();
  const count = 100_000;
  let given = 0;
  const stdin = new Readable({
    read() {
      given += 1;
      this.push(given > count ? null : Buffer.from(`line ${given}\n`));
    },
  });
  const opened = await open(['-'], {stdin});
  const first = await read(opened);
  expect(given).toBeLessThan(count);
  const texts: string[] = [...textsOf(first)];
  const last = await readUntil(opened, first, window => {
    texts.push(...(window === first ? [] : textsOf(window)));
    return window.pods.length === 0;
  });
  expect(texts.length).toBe(count);
  expect([texts[0], texts.at(-1), last.endings?.get('stdin')]).toEqual(['line 1', `line ${count}`, 'ended']);
  expect(last.numbering?.losses).toEqual([]);
});

test('a command has two streams, and its exit code is told', async () => {
  const {open} = createOpenedFolder();
  const opened = await open([], {command: ['sh', '-c', 'echo out; echo err >&2; exit 3']});
  const lines: string[] = [];
  const last = await readUntil(opened, await read(opened), window => {
    const {numbering} = window;
    const sources = (numbering?.runs ?? []).flatMap(([source, count]) => Array(count).fill(numbering?.sources[source]));
    lines.push(...textsOf(window).map((text, index) => `${text} ${sources[index]?.stream ?? '-'}`));
    return window.pods.length === 0;
  });
  expect(new Set(lines)).toEqual(new Set(['out -', 'err stderr']));
  expect(last.endings?.get('sh')).toBe('ended with exit code 3');
});

test('of a compressed file with something else behind it, each line is read, and then a gap', async () => {
  const {path, open} = createOpenedFolder();
  const count = 10_000;
  const texts = Array.from({length: count}, (_, index) => timed(Math.floor(index / 100), `line ${index}`));
  writeFileSync(path('app.log.gz'), Buffer.concat([gzipSync(texts.join('')), Buffer.from('something else\n')]));
  const opened = await open([path('app.log.gz')]);
  const first = await read(opened);
  let lineCount = first.lines.length;
  const last = await readUntil(opened, first, window => {
    lineCount += window === first ? 0 : window.lines.length;
    return (window.numbering?.losses.length ?? 0) > 0;
  });
  expect([lineCount, last.numbering?.losses.map(({why}) => why)]).toEqual([
    count,
    ['the file cannot be read any further (it goes on with bytes that are not gzip)'],
  ]);
});

test.each([
  ['xz', 0, /^the file cannot be read any further \(xz: Unexpected end of input\)$/],
  ['bzip2', 0, /^the file cannot be read any further \(bzip2: Compressed file ends unexpectedly\)$/],
  ['bzip2', 5, /^the file cannot be read any further \(bzip2: trailing garbage after EOF ignored\)$/],
])('what %s says of a damaged file is in the gap, and no line', async (program, garbageBytes, why) => {
  const {path, open} = createOpenedFolder();
  if (!(await isProgram(program, process.env.PATH))) {
    return;
  }
  const texts = Array.from({length: 1_000}, (_, index) => timed(index, `line ${index}`));
  const whole = execFileSync(program, ['-c'], {input: texts.join('')});
  const damaged = garbageBytes > 0 ? Buffer.concat([whole, Buffer.alloc(garbageBytes, 'x')]) : whole.subarray(0, -20);
  writeFileSync(path('app.log.1'), damaged);
  const opened = await open([path('app.log.1')]);
  const seen: string[] = [];
  const last = await readUntil(opened, await read(opened), window => {
    seen.push(...textsOf(window));
    return (window.numbering?.losses.length ?? 0) > 0;
  });
  expect(seen.filter(text => !/^2026-11-21T14:\S+ line \d+$/.test(text))).toEqual([]);
  expect(last.numbering?.losses.map(loss => loss.why)).toEqual([expect.stringMatching(why)]);
});

test('the files of a folder are sources of their own, also one that comes later', async () => {
  const {folder, path, open} = createOpenedFolder();
  writeFileSync(path('a.log'), timed(1, 'of a'));
  const opened = await open([folder]);
  const first = await read(opened);
  writeFileSync(path('b.log'), timed(2, 'of b'));
  const next = await readUntil(opened, await read(opened, placeAfter(first)), ({lines}) => lines.length > 0);
  const sourceOf = ({numbering}: ServedWindow) => numbering?.sources[numbering.runs[0]?.[0] ?? -1]?.container;
  expect([sourceOf(first), sourceOf(next)]).toEqual(['a.log', 'b.log']);
});

/** Rotates a file while nobody looks: each time, what was rotated last moves on, and a new file begins. */
const rotateUnseen = (
  path: (name: string) => string,
  [first, ...others]: readonly (readonly string[])[],
  keep: number,
) => {
  const write = (lines: readonly string[] = []): void => appendFileSync(path('app.log'), lines.join(''));
  write(first);
  // The clock of a file system may be coarse.
  utimesSync(path('app.log'), 0, 0);
  for (const lines of others) {
    rmSync(path(`app.log.${keep}`), {force: true});
    for (let number = keep - 1; number > 0; number -= 1) {
      if (existsSync(path(`app.log.${number}`))) {
        renameSync(path(`app.log.${number}`), path(`app.log.${number + 1}`));
      }
    }
    renameSync(path('app.log'), path('app.log.1'));
    write(lines);
  }
};

const readRotated = async (
  {open, warnings}: ReturnType<typeof createOpenedFolder>,
  opened: Awaited<ReturnType<typeof open>>,
) => {
  const seen: string[] = [];
  const last = await readUntil(opened, await read(opened), window => {
    seen.push(...textsOf(window).map(text => text.replace(/^2026\S+ /, '')));
    return seen.includes('end');
  });
  return [seen, last.numbering?.losses.map(({why}) => why), warnings.length];
};

const lostWhy = 'app.log was replaced by another file, and the previous one was not found beside it';

test('what was rotated while nobody took lines is read as far as it is there, after a gap', async () => {
  const folder = createOpenedFolder();
  writeFileSync(folder.path('app.log'), timed(1, 'one'));
  const opened = await folder.open([folder.path('app.log')]);
  rotateUnseen(
    folder.path,
    [
      [timed(2, 'two')],
      [timed(3, 'gone')],
      [timed(4, 'three'), timed(5, 'four')],
      [timed(6, 'five')],
      [timed(7, 'end')],
    ],
    2,
  );
  expect(await readRotated(folder, opened)).toEqual([['one', 'two', 'three', 'four', 'five', 'end'], [lostWhy], 1]);
});

test('so is what was packed meanwhile', async () => {
  const folder = createOpenedFolder();
  writeFileSync(folder.path('app.log'), timed(1, 'one'));
  const opened = await folder.open([folder.path('app.log')]);
  rotateUnseen(folder.path, [[timed(2, 'two')], [timed(3, 'gone')], [timed(4, 'three')], [timed(6, 'end')]], 1);
  writeFileSync(folder.path('app.log.1.gz'), gzipSync(timed(4, 'three')));
  rmSync(folder.path('app.log.1'));
  expect(await readRotated(folder, opened)).toEqual([['one', 'two', 'three', 'end'], [lostWhy], 1]);
});

test('lines without times are read if their file was made after the last line that was read', async () => {
  const folder = createOpenedFolder();
  writeFileSync(folder.path('app.log'), 'one\n');
  const opened = await folder.open([folder.path('app.log')]);
  rotateUnseen(folder.path, [['two\n'], ['gone\n'], ['three\n'], ['end\n']], 1);
  expect(await readRotated(folder, opened)).toEqual([['one', 'two', 'three', 'end'], [lostWhy], 1]);
});

test('what was rotated before is not read, however late it was packed or copied', async () => {
  const folder = createOpenedFolder();
  writeFileSync(folder.path('app.log'), timed(3, 'one'));
  const opened = await folder.open([folder.path('app.log')]);
  rmSync(folder.path('app.log'));
  writeFileSync(folder.path('app.log'), timed(4, 'gone'));
  rmSync(folder.path('app.log'));
  writeFileSync(folder.path('app.log.1'), timed(2, 'copied'));
  writeFileSync(folder.path('app.log.2.gz'), gzipSync(timed(1, 'packed')));
  writeFileSync(folder.path('app.log'), timed(5, 'end'));
  expect(await readRotated(folder, opened)).toEqual([['one', 'end'], [lostWhy], 1]);
});
