import {expect, test} from 'vitest';
import type {Branch} from '#api/client/answer.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {
  areInOrder,
  branchById,
  branchName,
  findNamed,
  listBranches,
  matchName,
  orderAfter,
  orderBranches,
  orderWords,
  placeById,
  selectedPlace,
} from '#app/choices/branch-choices.ts';
import {createBranchesScreen} from '#app/lists/update-sites.ts';
import type {BranchesState} from '#app/state/state.ts';
import type {KnownPulses} from '#app/tail/known-pulse.ts';

const decode = (...records: readonly object[]): readonly Branch[] =>
  decodeBranches(records.map(record => ({branchType: 'FEATURE', ...record}))).value;

const ids = (branches: readonly Branch[]): string => branches.map(({_id}) => _id).join(' ');

const deployed = 'DEPLOY_APPLICATION_SUCCESS';
const failed = 'BUILD_FAILED';
const troubles = [{reason: 'OOMKilled', pod: 'web-0', state: 'now'}];

/** Errors of a minute, by branch id. */
const pulsesOf = (errors: Readonly<Record<string, number | undefined>>): KnownPulses =>
  new Map(
    Object.entries(errors).map(([id, count]) => [
      id,
      {
        probedAtMs: 0,
        pulse: count === undefined ? undefined : {toMs: 0, spanMs: 60_000, lines: count, errors: count, minutes: []},
      },
    ]),
  );

const listed = (branches: readonly Branch[], change: Partial<BranchesState> = {}): BranchesState => ({
  ...createBranchesScreen('site-1', undefined),
  branches,
  ordered: branches,
  ...change,
});

test('what failed or does not work comes first, then busy, anything else, deployed, not built out; master among equals', () => {
  const branches = decode(
    {_id: 'none', name: 'a', status: null},
    {_id: 'other', name: 'b', status: 'WAITING'},
    {_id: 'busy', name: 'c', status: 'BUILD_RUNNING'},
    {_id: 'failed', name: 'd', status: failed},
    {_id: 'deployed', name: 'e', status: deployed},
    {_id: 'troubled', name: 'f', status: failed, troubles},
    {_id: 'master', name: 'g', status: 'BUILD_RUNNING', branchType: 'MASTER'},
    {_id: 'bare-master', name: 'h', status: null, branchType: 'MASTER'},
  );
  const orderOf = (order: BranchesState['order']): string => ids(orderBranches({branches, order, pulses: new Map()}));
  expect(orderOf('status')).toBe('failed troubled master busy other deployed none bare-master');
  expect(orderOf('name')).toBe('none other busy failed deployed troubled master bare-master');
});

test('by last change the newest comes first: of a branch that is not built out when it was made', () => {
  const day = (date: number): string => `2026-11-${String(date).padStart(2, '0')}T00:00:00.000Z`;
  const branches = decode(
    {_id: 'unknown', name: 'a', status: deployed},
    {_id: '3rd', name: 'b', status: deployed, createdAt: day(9), updatedAt: day(3)},
    {_id: '5th', name: 'c', status: null, createdAt: day(5), updatedAt: day(1)},
    {_id: '4th', name: 'd', status: failed, updatedAt: day(4)},
    {_id: 'no-time', name: 'e', status: failed, updatedAt: 'yesterday'},
  );
  expect(ids(orderBranches({branches, order: 'changed', pulses: new Map()}))).toBe('5th 4th 3rd unknown no-time');
});

test('by errors a minute the most come first, then those without by what needs the user', () => {
  const branches = decode(
    {_id: 'calm', name: 'a', status: failed},
    {_id: 'few', name: 'b', status: deployed},
    {_id: 'many', name: 'c', status: failed},
    {_id: 'unseen', name: 'd', status: deployed},
    {_id: 'unread', name: 'e', status: deployed},
  );
  const pulses = pulsesOf({calm: 0, few: 2, many: 30, unread: undefined});
  expect(ids(orderBranches({branches, order: 'errors', pulses}))).toBe('many few calm unseen unread');
});

test('the orders go round, by errors only where they are counted', () => {
  expect((['status', 'name', 'changed', 'errors'] as const).map(order => orderAfter(order, true))).toEqual([
    'name',
    'changed',
    'errors',
    'status',
  ]);
  expect((['status', 'name', 'changed', 'errors'] as const).map(order => orderAfter(order, false))).toEqual([
    'name',
    'changed',
    'status',
    'status',
  ]);
});

test.each([
  ['status', 'needs you first'],
  ['name', 'by name'],
  ['changed', 'by last change'],
  ['errors', 'by errors a minute'],
] as const)('the order %s is told', (order, words) => {
  expect(orderWords[order]).toBe(words);
});

test('what errors more than before comes after what failed, and before work in progress', () => {
  const branches = decode(
    {_id: 'calm', name: 'a', status: deployed},
    {_id: 'rising', name: 'b', status: deployed},
    {_id: 'busy', name: 'c', status: 'BUILD_RUNNING'},
    {_id: 'failed', name: 'd', status: failed},
  );
  const minutes = [{minute: 0, seenMs: 60_000, lines: 9, errors: 0}];
  const pulse = {toMs: 180_000, spanMs: 60_000, lines: 9, errors: 9, minutes};
  const pulses: KnownPulses = new Map([['rising', {probedAtMs: 0, pulse}]]);
  expect(ids(orderBranches({branches, order: 'status', pulses}))).toBe('failed rising busy calm');
  // Rows do not move before the user asks for it.
  const before = listed(branches, {pulses});
  expect([ids(listBranches(before)), areInOrder(before)]).toEqual(['failed busy calm rising', false]);
  const anew = listed(branches, {pulses, orderedPulses: pulses});
  expect([ids(listBranches(anew)), areInOrder(anew)]).toEqual(['failed rising busy calm', true]);
});

test('rows keep the places that they had, without those that went, and those that came are at the end', () => {
  const ordered = decode(
    {_id: '1', name: 'b', status: failed},
    {_id: '2', name: 'a', status: deployed},
    {_id: '3', name: 'c', status: failed},
  );
  const branches = decode(
    {_id: '0', name: 'new', status: deployed},
    {_id: '1', name: 'b', status: deployed},
    {_id: '2', name: 'a', status: failed},
  );
  const before = listed(ordered);
  expect(ids(listBranches(before))).toBe('1 3 2');
  expect(areInOrder(before)).toBe(true);
  const after = listed(branches, {ordered});
  expect(ids(listBranches(after))).toBe('1 2 0');
  expect(areInOrder(after)).toBe(false);
  // One that no longer fits the choice of rows stays.
  expect(ids(listBranches(listed(branches, {ordered, shows: 'deployed'})))).toBe('2 0 1');
  // A listing that changes nothing leaves them in order.
  const same = decode({_id: '1', name: 'b', status: deployed});
  expect(areInOrder(listed(same, {ordered: decode({_id: '1', name: 'b', status: deployed})}))).toBe(true);
});

test('ordered by errors, rows stay until they are ordered anew, whatever is counted meanwhile', () => {
  const branches = decode({_id: '1', name: 'a', status: deployed}, {_id: '2', name: 'b', status: deployed});
  const counted = {pulses: pulsesOf({2: 5}), orderedPulses: pulsesOf({1: 5})};
  const byErrors = listed(branches, {order: 'errors', ...counted});
  expect(ids(listBranches(byErrors))).toBe('1 2');
  expect(areInOrder(byErrors)).toBe(false);
  const anew = listed(branches, {order: 'errors', pulses: counted.pulses, orderedPulses: counted.pulses});
  expect(ids(listBranches(anew))).toBe('2 1');
  expect(areInOrder(anew)).toBe(true);
  expect(areInOrder(listed(branches, {order: 'name', ...counted}))).toBe(true);
  // The same state asked with other counts gives other rows.
  expect(ids(listBranches({...byErrors, orderedPulses: counted.pulses}))).toBe('2 1');
  const byName = listed(branches, {order: 'name', ...counted});
  expect(listBranches({...byName, pulses: new Map()})).toBe(listBranches(byName));
});

test('of two branches with one id the first counts', () => {
  const branches = decode(
    {_id: '1', name: 'a', status: null},
    {_id: '2', name: 'b', status: null},
    {_id: '1', name: 'c', status: null},
  );
  expect([placeById(branches, '1'), placeById(branches, '2'), placeById(branches, '3')]).toEqual([0, 1, undefined]);
  expect(placeById(branches, undefined)).toBeUndefined();
  expect(branchById(branches, '1')?.name).toBe('a');
  expect(branchById(branches, '2')?.name).toBe('b');
  expect(branchById(branches, '3')).toBeUndefined();
});

test('the highlight is on its branch, else on the first', () => {
  const branches = decode({_id: '1', name: 'a', status: deployed}, {_id: '2', name: 'b', status: deployed});
  const placeOf = (selectedId: string | undefined): number =>
    selectedPlace(listed(branches, {picker: {selectedId, filter: ''}}));
  expect([placeOf(undefined), placeOf('2'), placeOf('1'), placeOf('gone')]).toEqual([0, 1, 0, 0]);
  expect(selectedPlace(listed([]))).toBe(0);
});

test('a filter that is typed letter by letter leaves what it would at once', () => {
  const branches = decode(
    {_id: '1', name: 'main', status: deployed},
    {_id: '2', name: 'mail', status: deployed},
    {_id: '3', name: 'cart', status: deployed},
  );
  const typed = (filter: string): string => ids(listBranches(listed(branches, {picker: {selectedId: '1', filter}})));
  expect(['m', 'mai', 'mail', 'mai', 'c', ' ', 'ail'].map(typed)).toEqual([
    '1 2',
    '1 2',
    '2',
    '1 2',
    '3 1 2',
    '1 2 3',
    '2',
  ]);
});

test('a filter finds names before ids and statuses, which have to hold it as it is, in small letters or capitals', () => {
  const branches = decode(
    {_id: 'FA', name: 'cart', status: deployed},
    {_id: '2', name: 'shop', status: failed},
    {_id: '3', name: 'fancy', status: null},
  );
  const typed = (filter: string): string => ids(listBranches(listed(branches, {picker: {selectedId: '1', filter}})));
  expect(typed('fa')).toBe('3 2 FA');
  expect(typed('BUILD_F')).toBe('2');
  expect(typed('not built')).toBe('3');
  expect(typed('fz')).toBe('');
});

test('the letters that a filter finds in a name are known, and none without a filter', () => {
  const [branch = expect.fail()] = decode({_id: '1', name: 'main', status: null});
  expect(matchName('mi', branch)?.positions).toEqual([0, 2]);
  expect(matchName(' ', branch)).toBeUndefined();
  expect(matchName('x', branch)).toBeUndefined();
});

test('a branch without a readable name is known by its id', () => {
  const [branch = expect.fail()] = decode({_id: 'b-7', name: 7, status: null});
  expect(branchName(branch)).toBe('b-7 (name not as described)');
});

test('a word names a branch by id, else by name, else by workload, else by release', () => {
  const branches = decode(
    {_id: 'a', name: 'b', status: null, release: 'web'},
    {_id: 'b', name: 'c', status: null, release: 'shop-7'},
    {_id: 'c', name: 'web', status: null},
    {_id: 'd', name: 'd2', status: null, workloads: ['deployment/api'], release: 'shop-7'},
    {_id: 'e', name: 'd2', status: null, workloads: ['statefulset/db']},
  );
  const named = (word: string): string => ids(findNamed(branches, word));
  expect(['b', 'web', 'd2', 'deployment/api', 'db', 'shop-7', 'nobody'].map(named)).toEqual([
    'b',
    'c',
    'd e',
    'd',
    'e',
    'b d',
    '',
  ]);
});
