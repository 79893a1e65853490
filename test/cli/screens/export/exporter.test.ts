import {mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {SaveRequest} from '#app/export/exporter.ts';
import {createExportRunner} from '#app/run-exports.ts';
import type {Event} from '#app/state/event.ts';
import {createExporter} from '#cli/screens/export/create-exporter.ts';
import {saveLines, textPieces} from '#cli/screens/export/save-lines.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {anchorOf, mergeBuffers} from '#log/view/log-view.ts';
import {sampleFacts} from '../../../app/log/export-samples.ts';
import {createTempFolder, type TempFolder} from '../../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('exporter');
});
afterEach(() => folder.remove());

const stamp = (index: number): string =>
  new Date(Date.UTC(2026, 10, 21) + index * 10).toISOString().replace('Z', '000000Z');

const linesOf = (count: number, name: string): readonly string[] =>
  Array.from({length: count}, (_, index) => `${stamp(index)} ${name} says line ${index}`);

const viewOf = (...sources: readonly (readonly string[])[]) =>
  mergeBuffers(sources.map(lines => takeWindow(createBranchLog(1e9), {lines, pods: []}).log.buffer));

const requestOf = (view: ReturnType<typeof viewOf>, change: Partial<SaveRequest> = {}): SaveRequest => ({
  what: 'lines',
  path: join(folder.path, 'x.log'),
  replaces: false,
  scope: {view, first: 0, end: view.entryCount, chosen: 'all'},
  facts: sampleFacts,
  marks: [],
  all: view,
  ...change,
});

const exporter = () => createExporter({env: {}, homeFolder: folder.path, handOver: work => work()});

const save = (request: SaveRequest) => exporter().save(request, new AbortController().signal, () => {});

/** How often others had their turn while something was done. */
const countTurns = async <Outcome>(work: () => Promise<Outcome>) => {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) {
      setImmediate(turn);
    }
  };
  turn();
  const outcome = await work();
  isOver = true;
  return {outcome, turns};
};

test('lines of several branches are saved by time, and others get their turn meanwhile', async () => {
  const [one, two] = [linesOf(20_000, 'one'), linesOf(20_000, 'two')];
  const {outcome, turns} = await countTurns(() => save(requestOf(viewOf(one, two))));
  expect(outcome).toMatchObject({
    kind: 'saved',
    sentence: expect.stringMatching(/^saved 40,000 lines, [\d,]+ bytes, to /),
  });
  const text = readFileSync(join(folder.path, 'x.log'), 'utf8');
  expect(text === one.map((line, index) => `${line}\n${two[index]}\n`).join('')).toBe(true);
  // A piece is 64 KB, and after each there is a turn at least.
  expect(turns).toBeGreaterThan(text.length / 65_536);
});

test('a line without a timestamp that begins with a space is saved with it', async () => {
  await save(requestOf(viewOf(['2026-11-21T14:00:00Z Fatal', ' at run ()', '  at go ()'])));
  expect(readFileSync(join(folder.path, 'x.log'), 'utf8')).toBe('2026-11-21T14:00:00Z Fatal\n at run ()\n  at go ()\n');
});

test('lines of a file are saved and piped as they were written', async () => {
  const view = viewOf(linesOf(2, 'one'));
  const scope = {view, first: 0, end: view.entryCount, chosen: 'all', asWritten: true} as const;
  await save(requestOf(view, {scope}));
  expect(readFileSync(join(folder.path, 'x.log'), 'utf8')).toBe('one says line 0\none says line 1\n');
  const pager = createExporter({
    env: {PAGER: `cat > '${join(folder.path, 'piped')}'`, PATH: process.env.PATH},
    homeFolder: folder.path,
    handOver: work => work(),
  });
  expect(await pager.pipe({to: {kind: 'pager'}, scope})).toBeUndefined();
  expect(readFileSync(join(folder.path, 'piped'), 'utf8')).toBe('one says line 0\none says line 1\n');
});

test('a pager is told of a file that came, not of a pod', async () => {
  const first = takeWindow(createBranchLog(1e9), {lines: linesOf(1, 'one'), pods: []}).log;
  const file = {name: 'app.log', resourceVersion: '1', metadata: {}, createdAt: undefined};
  const view = mergeBuffers([takeWindow(first, {lines: linesOf(1, 'one'), pods: [file]}).log.buffer]);
  const pager = createExporter({
    env: {PAGER: `cat > '${join(folder.path, 'piped')}'`, PATH: process.env.PATH},
    homeFolder: folder.path,
    handOver: work => work(),
  });
  await pager.pipe({to: {kind: 'pager'}, scope: {view, first: 1, end: 2, chosen: 'all', part: 'file'}});
  expect(readFileSync(join(folder.path, 'piped'), 'utf8')).toBe('-- file app.log came --\n');
});

const savingLines = (request: SaveRequest, path: string): Promise<string> => {
  const {signal} = new AbortController();
  return saveLines({request, path, signal, progress: () => {}, version: '1', stateFolder: undefined});
};

test('where the manifest cannot take its place, the log that was to be replaced is not removed', async () => {
  const path = join(folder.path, 'x.log');
  const request = requestOf(viewOf([`${stamp(0)} new`]), {replaces: true});
  writeFileSync(path, 'old');
  mkdirSync(`${path}.manifest.json`);
  await expect(savingLines(request, path)).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readFileSync(path, 'utf8')).toBe(`${stamp(0)} new\n`);
  expect(readdirSync(folder.path)).toEqual(['x.log', 'x.log.manifest.json']);
});

test('where the manifest of a new log cannot take its place, the log is not there either', async () => {
  const path = join(folder.path, 'x.log');
  const request = requestOf(viewOf([`${stamp(0)} new`]));
  mkdirSync(`${path}.manifest.json`);
  await expect(savingLines(request, path)).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(folder.path)).toEqual(['x.log.manifest.json']);
});

test('a save that is cancelled while it writes leaves the log that was to be replaced as it was', async () => {
  const path = join(folder.path, 'x.log');
  writeFileSync(path, 'old');
  const cancelled = new AbortController();
  const saving = saveLines({
    request: requestOf(viewOf(linesOf(2000, 'one')), {replaces: true}),
    path,
    signal: cancelled.signal,
    progress: () => cancelled.abort(),
    version: '1',
    stateFolder: undefined,
  });
  await expect(saving).rejects.toThrow('aborted');
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(folder.path)).toEqual(['x.log']);
});

test('a save that is cancelled leaves nothing behind and is not heard of', async () => {
  const exports = createExportRunner(async () => exporter());
  const heard: Event[] = [];
  exports.run({kind: 'saveFile', request: requestOf(viewOf(linesOf(50_000, 'one')))}, event => heard.push(event));
  while (!readdirSync(folder.path).some(name => name.endsWith('.partial'))) {
    await new Promise(resolve => setImmediate(resolve));
  }
  exports.run({kind: 'cancelSave'}, event => heard.push(event));
  await exports.close();
  expect(readdirSync(folder.path)).toEqual([]);
  expect(heard).toEqual([]);
});

test('how much is done and what became of it are told', async () => {
  const exports = createExportRunner(async () => ({
    save: async (_request, _signal, progress) => {
      progress(0.25);
      return {kind: 'failed', sentence: 'no'};
    },
    pipe: async () => 'it ended',
  }));
  const heard: Event[] = [];
  const request = requestOf(viewOf([]));
  exports.run({kind: 'saveFile', request}, event => heard.push(event));
  exports.run({kind: 'pipe', request: {to: {kind: 'pager'}, scope: request.scope}}, event => heard.push(event));
  await vi.waitFor(() => expect(heard).toHaveLength(3));
  expect(heard).toEqual(
    expect.arrayContaining([
      {kind: 'saveProgressed', share: 0.25},
      {kind: 'saveEnded', outcome: {kind: 'failed', sentence: 'no'}},
      {kind: 'noticed', notice: 'it ended'},
    ]),
  );
});

test('a file or its manifest that is there is not touched unless it is to be replaced', async () => {
  const view = viewOf(linesOf(3, 'one'));
  writeFileSync(join(folder.path, 'x.log.manifest.json'), 'mine');
  expect(await save(requestOf(view))).toEqual({kind: 'exists'});
  expect(readdirSync(folder.path)).toEqual(['x.log.manifest.json']);
  expect(await save(requestOf(view, {replaces: true}))).toMatchObject({kind: 'saved'});
  expect(readFileSync(join(folder.path, 'x.log.manifest.json'), 'utf8')).toContain('branchlog manifest');
});

test('a link stays one, and what it leads to is replaced', async () => {
  const view = viewOf(linesOf(3, 'one'));
  writeFileSync(join(folder.path, 'real.log'), 'old');
  symlinkSync('real.log', join(folder.path, 'x.log'));
  expect(await save(requestOf(view, {replaces: true}))).toMatchObject({kind: 'saved'});
  expect(readFileSync(join(folder.path, 'real.log'), 'utf8').split('\n')).toHaveLength(4);
});

test('others get their turn while lines are passed over too', async () => {
  const {scope} = requestOf(viewOf(linesOf(60_000, 'one')));
  const {outcome, turns} = await countTurns(async () => {
    const pieces: string[] = [];
    for await (const piece of textPieces(scope, {format: () => undefined})) {
      pieces.push(piece);
    }
    return pieces;
  });
  expect(outcome).toEqual([]);
  expect(turns).toBeGreaterThan(5);
});

test('a note has the marks by time, with the log around each as it is, and of picked lines only theirs', async () => {
  const view = viewOf(linesOf(100, 'one'));
  const marks = [50, 3].map(index => {
    const [entry] = view.slice(index, 1);
    return entry === undefined
      ? expect.fail('no entry')
      : {anchor: anchorOf(entry), at: entry.entry.at, note: `note ${index}`};
  });
  const path = '~/note.md';
  expect(await save(requestOf(view, {what: 'incident', path, marks}))).toMatchObject({
    kind: 'saved',
    sentence: 'saved a note of 2 marks and 0 markers, to ~/note.md',
  });
  const note = readFileSync(join(folder.path, 'note.md'), 'utf8');
  expect([...note.matchAll(/> note (\d+)/g)].map(match => match[1])).toEqual(['3', '50']);
  const numbers = [...note.matchAll(/says line (\d+)$/gm)].map(match => Number(match[1]));
  expect(numbers).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55]);
  const picked = {view, first: 40, end: 60, chosen: 'picked'} as const;
  await save(requestOf(view, {what: 'incident', path: join(folder.path, 'picked.md'), marks, scope: picked}));
  expect(readFileSync(join(folder.path, 'picked.md'), 'utf8').match(/> note \d+/g)).toEqual(['> note 50']);
});
