import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {hashLine} from '#app/log/marking.ts';
import {createBranchMemory, memoryBytesMax, rememberedBranchesMax} from '#config/memory/branch-memory.ts';
import {type BranchState, storedMarksMax} from '#config/memory/branch-state.ts';
import {stateWritten} from '#config/memory/state-file.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('memory');
});
afterEach(() => folder.remove());

const stateFolder = (): string => join(folder.path, 'state/branchlog');
const file = (): string => join(stateFolder(), 'branch-state.json');
const keyOf = (branchId: string, contextName = 'prod') => ({contextName, siteId: 's1', branchId});
const stored = (): {readonly branches: readonly Record<string, unknown>[]} => JSON.parse(readFileSync(file(), 'utf8'));
const put = (content: string): void => {
  mkdirSync(stateFolder(), {recursive: true});
  writeFileSync(file(), content);
};

const plain: BranchState = {
  filters: [],
  filtersOff: [],
  contextLines: 0,
  minimumLevel: undefined,
  wraps: false,
  timeMode: undefined,
  rows: undefined,
  highlights: [],
  marks: [],
  lastSeenAt: undefined,
};

const busy: BranchState = {
  filters: ['+timeout', '-re:GET /health'],
  filtersOff: ['+timeout'],
  contextLines: 3,
  minimumLevel: 'warning',
  wraps: true,
  timeMode: 'local',
  rows: 'received',
  columns: ['level', 'req.id'],
  folds: ['traces', 'repeats'],
  highlights: ['order 17'],
  marks: [
    {at: '2026-11-21T14:02:11.031000000Z', lineHash: hashLine('Fatal: boom'), note: 'begins here'},
    {at: '2026-11-21T14:03:00.000000000Z', lineHash: undefined, note: ''},
  ],
  lastSeenAt: '2026-11-21T14:05:00.000000001Z',
};

test('what was remembered is recalled, by another run too, each branch for itself', async () => {
  const memory = createBranchMemory(stateFolder());
  expect(await memory.recall(keyOf('b1'))).toEqual({state: undefined, notice: undefined});
  expect(await memory.remember(keyOf('b1'), busy)).toBeUndefined();
  expect(await memory.remember(keyOf('b1', 'stage'), plain)).toBeUndefined();
  const later = createBranchMemory(stateFolder());
  expect((await later.recall(keyOf('b1'))).state).toEqual(busy);
  expect((await later.recall(keyOf('b1', 'stage'))).state).toEqual(plain);
  expect((await later.recall(keyOf('b2'))).state).toBeUndefined();
});

test('the file is for its owner alone, and holds no word of a line', async () => {
  await createBranchMemory(stateFolder()).remember(keyOf('b1'), busy);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(stateFolder())).toEqual(['branch-state.json']);
  expect(readFileSync(file(), 'utf8')).not.toContain('boom');
  expect(hashLine('Fatal: boom')).toMatch(/^[\da-f]{16}$/);
  expect(hashLine('Fatal: boom')).not.toBe(hashLine('Fatal: boom '));
});

test('calls at the same moment all arrive, in their order', async () => {
  const memory = createBranchMemory(stateFolder());
  const calls = Array.from({length: 8}, (_, index) =>
    memory.remember(keyOf(`b${index % 4}`), {...plain, contextLines: index}),
  );
  const recalled = memory.recall(keyOf('b3'));
  expect(await Promise.all(calls)).toEqual(Array(8).fill(undefined));
  expect((await recalled).state?.contextLines).toBe(7);
  expect(stored().branches.map(({branchId, contextLines}) => [branchId, contextLines])).toEqual([
    ['b3', 7],
    ['b2', 6],
    ['b1', 5],
    ['b0', 4],
  ]);
});

test('what is remembered is in the file once writing is waited for', async () => {
  void createBranchMemory(stateFolder()).remember(keyOf('b1'), busy);
  await stateWritten();
  expect(stored().branches).toHaveLength(1);
});

test('two hundred branches are kept, and whoever was not looked at for longest goes', async () => {
  put(JSON.stringify({branches: Array.from({length: rememberedBranchesMax}, (_, index) => keyOf(`b${index}`))}));
  await createBranchMemory(stateFolder()).remember(keyOf('new'), plain);
  const ids = stored().branches.map(({branchId}) => branchId);
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([rememberedBranchesMax, 'new', `b${rememberedBranchesMax - 2}`]);
});

test('the file stays below its bound, at the cost of the oldest', async () => {
  const memory = createBranchMemory(stateFolder());
  const mark = {at: '2026-11-21T14:02:11.031000000Z', lineHash: undefined, note: 'ü'.repeat(500)};
  const heavy = {
    ...plain,
    marks: Array.from({length: storedMarksMax + 20}, (_, index) => ({...mark, at: `t${index}`})),
  };
  const count = 12;
  for (let index = 0; index < count; index += 1) {
    await memory.remember(keyOf(`b${index}`), heavy);
  }
  expect(statSync(file()).size).toBeLessThanOrEqual(memoryBytesMax);
  const {branches} = stored();
  expect(branches.length).toBeGreaterThan(5);
  expect(branches.length).toBeLessThan(count);
  expect(branches[0]?.branchId).toBe(`b${count - 1}`);
  const {state} = await memory.recall(keyOf(`b${count - 1}`));
  expect([state?.marks.length, state?.marks[0]?.at, state?.marks.at(-1)?.at]).toEqual([storedMarksMax, 't20', 't119']);
});

test('what a newer version wrote beside is kept', async () => {
  put(
    JSON.stringify({
      era: 2,
      branches: [
        {...keyOf('b1'), zoom: 3},
        {...keyOf('b2'), tint: 'red'},
      ],
    }),
  );
  await createBranchMemory(stateFolder()).remember(keyOf('b2'), busy);
  expect(stored()).toMatchObject({era: 2, branches: [{branchId: 'b2', tint: 'red', wraps: true}, {zoom: 3}]});
});

test('fields that are none are left out, and the others stay', async () => {
  put(
    JSON.stringify({
      branches: [
        null,
        7,
        {
          ...keyOf('b1'),
          filters: ['ok', 5, '', 'x'.repeat(501)],
          contextLines: 40,
          minimumLevel: {},
          wraps: 'yes',
          timeMode: 'utc',
          highlights: 'none',
          marks: [null, {note: 'no time'}, {at: 't', lineHash: 'zz', note: 9}],
          lastSeenAt: 5,
        },
      ],
    }),
  );
  const {state, notice} = await createBranchMemory(stateFolder()).recall(keyOf('b1'));
  expect(notice).toBeUndefined();
  expect(state).toEqual({
    ...plain,
    filters: ['ok'],
    contextLines: 9,
    timeMode: 'utc',
    marks: [{at: 't', lineHash: undefined, note: ''}],
  });
});

test.each(['', '{', '[]', '"x"', '{"branches": 5}', `{"branches": []}${' '.repeat(memoryBytesMax)}`])(
  'a damaged file is told of once, and mended (%#)',
  async content => {
    put(content);
    const memory = createBranchMemory(stateFolder());
    const first = await memory.recall(keyOf('b1'));
    expect([first.state, first.notice?.endsWith(`: ${file()}`)]).toEqual([undefined, true]);
    expect(await memory.recall(keyOf('b1'))).toEqual({state: undefined, notice: undefined});
    expect(await memory.remember(keyOf('b1'), busy)).toBeUndefined();
    expect((await memory.recall(keyOf('b1'))).state).toEqual(busy);
  },
);

test('a file that is there and cannot be read is not replaced', async () => {
  mkdirSync(file(), {recursive: true});
  const memory = createBranchMemory(stateFolder());
  expect(await memory.remember(keyOf('b1'), plain)).toMatch(
    /^cannot read the remembered views \(it is a folder, not a file\): /,
  );
  expect(readdirSync(stateFolder())).toEqual(['branch-state.json']);
});

test('a folder that cannot be written is told of once', async () => {
  writeFileSync(join(folder.path, 'state'), 'a file where the folder should be');
  const memory = createBranchMemory(stateFolder());
  expect(await memory.remember(keyOf('b1'), plain)).toMatch(
    /^cannot (?:read the remembered views|remember the view of this branch) \(E[A-Z]+\): /,
  );
  expect(await memory.remember(keyOf('b1'), plain)).toBeUndefined();
});

test('without a home folder nothing is remembered, and that is said once', async () => {
  const memory = createBranchMemory(undefined);
  const notice = 'no home folder: views of branches are not remembered';
  expect(await memory.recall(keyOf('b1'))).toEqual({state: undefined, notice});
  expect(await memory.remember(keyOf('b1'), busy)).toBeUndefined();
  expect(await memory.recall(keyOf('b1'))).toEqual({state: undefined, notice: undefined});
});
