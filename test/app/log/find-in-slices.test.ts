import {expect, test} from 'vitest';
import {ApiError} from '#api/client/api-error.ts';
import {findInSlices} from '#app/log/find-in-slices.ts';
import type {Event} from '#app/state/event.ts';
import type {ComparedBranch, IncidentOrder} from '#app/tail/incident-reading.ts';
import {createTail} from '#app/tail/tail.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {noShapes} from '#log/traits/shape-table.ts';

const sourceOf = (count: number) => {
  const lines = Array.from(
    {length: count},
    (_, index) => `${new Date(Date.UTC(2026, 10, 21) + index).toISOString().replace('Z', '000000Z')} line`,
  );
  const {log} = takeWindow(createBranchLog(1e9), {lines, pods: []});
  const {buffer, wholeSince, proof} = log;
  return {buffer, shapes: noShapes, podNames: [], wholeSince, proof, knownChanges: []};
};

const orderOf = (counts: readonly number[], change: Partial<IncidentOrder> = {}): IncidentOrder => ({
  sources: counts.map(sourceOf),
  asked: {},
  compared: undefined,
  isOfDeployment: false,
  isRenewal: false,
  ...change,
});

type Client = Parameters<typeof findInSlices>[1]['client'];
const notAsked: Client = Promise.resolve({probeLog: () => Promise.reject(new Error('not asked'))});

const read = async (order: IncidentOrder, client = notAsked, signal = new AbortController().signal) => {
  const events: Event[] = [];
  await findInSlices(order, {client, nowMs: () => 0}, signal, event => events.push(event));
  return events;
};

const kinds = (events: readonly Event[]) => events.map(({kind}) => kind);

test.each([
  ['20,000 lines are read at once', [20_000], false, 1],
  ['one more is looked at first', [20_001], false, 2],
  ['so are those of several logs together', [10_000, 10_001], false, 2],
  ['but not where earlier findings stand on the screen', [20_001], true, 1],
])('%s', async (_, counts, isRenewal, looks) => {
  expect(kinds(await read(orderOf(counts, {isRenewal})))).toEqual(Array(looks).fill('incidentFound'));
});

test('where the other branch cannot be read, its reason is told, and the findings stay', async () => {
  const tail = createTail({intervalMs: 2000, bufferBytesMax: 1e6, keepsLateLines: false});
  const compared: ComparedBranch = {siteId: 'shop', branch: {_id: 'b2', name: 'staging'} as never, tail};
  const order = orderOf([3], {compared});
  const refused: Client = Promise.reject(new ApiError('network', 'no way there'));
  refused.catch(() => undefined);
  const events = await read(order, refused);
  expect(events).toMatchObject([
    {kind: 'noticed', notice: 'not compared with staging: no way there'},
    {kind: 'incidentFound', order, compared: undefined},
  ]);
});

test('nothing is told once it is cancelled', async () => {
  const stop = new AbortController();
  stop.abort();
  expect(await read(orderOf([3]), notAsked, stop.signal)).toEqual([]);
});
