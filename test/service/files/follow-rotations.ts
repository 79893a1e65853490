import {cpSync, mkdirSync, rmSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {type BranchLog, createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {instantFromMs} from '#log/line/instant.ts';
import type {Backend} from '#service/backend/backend.ts';
import {followFiles} from '#service/files/file-source.ts';
import {createLogFolder, readOpened, testNowMs} from './pod-backend.ts';
import {appendTo, type Rotate} from './rotate.ts';

/** How often the log is rotated while nobody looks, and how it is named in the configuration. */
const places = [
  {name: '1 rotations of a file', rotations: 1, pattern: 'a.log', writes: 'a.log', link: undefined},
  {name: '2 rotations of a file', rotations: 2, pattern: 'a.log', writes: 'a.log', link: undefined},
  {name: '3 rotations of a glob', rotations: 3, pattern: 'a.log*', writes: 'a.log', link: undefined},
  {name: '2 rotations of a link', rotations: 2, pattern: 'a.log', writes: 'real/0.log', link: 'a.log'},
] as const;

export const states = ['running', 'stopped', 'killed'] as const;

export type Outcome = {
  readonly name: string;
  readonly lost: readonly number[];
  readonly doubled: readonly number[];
  readonly gaps: number;
};

/** A client that merges windows and keeps what it was handed. */
const createClient = () => {
  let log: BranchLog = createBranchLog(16 * 1024 * 1024);
  const seen: number[] = [];
  let gaps = 0;
  return {
    poll: async (backend: Backend, branchId: string): Promise<void> => {
      const window = await readOpened(backend, branchId);
      const {lines = [], cut, arrivals} = window ?? {};
      const taken = takeWindow(log, {lines, pods: [{name: 'web', createdAt: '1'}], cut, arrivals});
      log = taken.log;
      for (const entry of taken.added) {
        if (entry.kind === 'line') {
          seen.push(Number(/line (\d+)/.exec(entry.raw)?.[1]));
        }
        // After a window without any line a client marks a quiet: lines may be missing there too.
        gaps += entry.kind === 'gap' || entry.kind === 'quiet' ? 1 : 0;
      }
    },
    seen,
    gaps: () => gaps,
  };
};

/** A log in a folder of its own, with its writer and a client of its branch. */
const createPlace = (
  root: string,
  index: number,
  {name, rotations, pattern, writes, link}: (typeof places)[number],
) => {
  const folder = join(root, `${index}`);
  const path = join(folder, writes);
  mkdirSync(dirname(path), {recursive: true});
  if (link) {
    symlinkSync(path, join(folder, link));
  }
  const client = createClient();
  const id = `b${index}`;
  let written = 0;
  return {
    path,
    rotations,
    write: (count: number): void => {
      const numbers = Array.from({length: count}, (_, offset) => written + offset);
      appendTo(path, numbers.map(number => `line ${number} ${'.'.repeat(40)}\n`).join(''));
      written += count;
    },
    branch: {
      ...{id, name: id, status: 'UP', fields: {}},
      pods: [{name: 'web', source: followFiles([join(folder, pattern)])}],
    },
    poll: (backend: Backend) => client.poll(backend, id),
    outcome: (): Outcome => {
      const counts = new Map<number, number>();
      for (const number of client.seen) {
        counts.set(number, (counts.get(number) ?? 0) + 1);
      }
      return {
        name,
        lost: Array.from({length: written}, (_, number) => number).filter(number => !counts.has(number)),
        doubled: [...counts].filter(([, count]) => count > 1).map(([number]) => number),
        gaps: client.gaps(),
      };
    },
  };
};

/**
 * Follows logs over rotations that happen in one go, while the service is running or not, and tells what a client got of
 * each. One service has a branch for each place: to open its state takes longer than all it reads.
 */
export const followAll = async (rotate: Rotate, state: (typeof states)[number]): Promise<readonly Outcome[]> => {
  const folder = createLogFolder();
  const all = places.map((place, index) => createPlace(join(folder.path, 'log'), index, place));
  const write = (count: number): void => {
    for (const place of all) {
      place.write(count);
    }
  };
  let elapsedMs = 0;
  const open = () =>
    folder.open(
      {},
      {
        sites: [{id: 's', branches: all.map(({branch}) => branch)}],
        pollIntervalMs: 60_000,
        monotonicMs: () => elapsedMs,
        now: () => instantFromMs(testNowMs + elapsedMs),
      },
    );
  write(20);
  let backend = await open();
  const look = async (): Promise<void> => {
    elapsedMs += 61_000;
    for (const {poll} of all) {
      await poll(backend);
    }
  };
  await look();
  write(15);
  await look();
  if (state === 'stopped') {
    await backend.close();
  }
  if (state === 'killed') {
    // What a killed process leaves: the state as it is while it is open.
    cpSync(join(folder.path, 'state'), join(folder.path, 'copy'), {recursive: true});
    await backend.close();
    rmSync(join(folder.path, 'state'), {recursive: true});
    cpSync(join(folder.path, 'copy'), join(folder.path, 'state'), {recursive: true});
  }
  for (const {path, rotations, write} of all) {
    for (let round = 0; round < rotations; round += 1) {
      write(12);
      rotate(path, round);
    }
  }
  if (state !== 'running') {
    backend = await open();
  }
  await look();
  await look();
  // Shorter than what stood there before, then longer.
  write(5);
  await look();
  await look();
  write(60);
  await look();
  await look();
  // The next rotation finds everything in order.
  for (const {path, rotations, write} of all) {
    rotate(path, rotations);
    write(3);
  }
  await look();
  await look();
  await backend.close();
  return all.map(({outcome}) => outcome());
};

export const describeOutcome = ({name, lost, doubled, gaps}: Outcome): string =>
  `${name}: lost ${lost.join(',') || 'none'}, doubled ${doubled.join(',') || 'none'}, gaps ${gaps}`;
