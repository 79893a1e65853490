import {cpSync, mkdirSync, rmSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {instantFromMs} from '../../../src/log/line/instant.ts';
import {type BranchLog, createBranchLog, takeWindow} from '../../../src/log/merge/branch-log.ts';
import type {Backend} from '../../../src/service/backend.ts';
import {createLogFolder, testNowMs} from './pod-backend.ts';
import {appendTo, type Rotate} from './rotate.ts';

/** How the log is named in the configuration; the writer always writes to `real/0.log` or `a.log`. */
const sources = {
  file: {pattern: 'a.log', writes: 'a.log', link: undefined, rotations: [1, 2]},
  glob: {pattern: 'a.log*', writes: 'a.log', link: undefined, rotations: [3]},
  link: {pattern: 'a.log', writes: 'real/0.log', link: 'a.log', rotations: [2]},
} as const;

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
    poll: async (backend: Backend): Promise<void> => {
      const window = await backend.readWindow('s', 'b');
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

/** Follows a log over rotations that happen in one go, while the service is running or not, and tells what a client got of it. */
const follow = async (
  rotate: Rotate,
  state: (typeof states)[number],
  sourceName: keyof typeof sources,
  rotations: number,
): Promise<Outcome> => {
  const source = sources[sourceName];
  const folder = createLogFolder();
  const path = join(folder.path, 'log', source.writes);
  mkdirSync(dirname(path), {recursive: true});
  if (source.link) {
    symlinkSync(path, join(folder.path, 'log', source.link));
  }
  let written = 0;
  const write = (count: number): void => {
    const numbers = Array.from({length: count}, (_, index) => written + index);
    appendTo(path, numbers.map(number => `line ${number} ${'.'.repeat(40)}\n`).join(''));
    written += count;
  };
  let elapsedMs = 0;
  const open = () =>
    folder.open(
      {web: [source.pattern]},
      {
        lookIntervalMs: 60_000,
        monotonicMs: () => elapsedMs,
        now: () => instantFromMs(testNowMs + elapsedMs),
      },
    );
  const client = createClient();
  write(20);
  let backend = await open();
  const look = async (): Promise<void> => {
    elapsedMs += 61_000;
    await client.poll(backend);
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
  for (let round = 0; round < rotations; round += 1) {
    write(12);
    rotate(path, round);
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
  rotate(path, rotations);
  write(3);
  await look();
  await look();
  await backend.close();
  const counts = new Map<number, number>();
  for (const number of client.seen) {
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return {
    name: `${rotations} rotations of a ${sourceName}`,
    lost: Array.from({length: written}, (_, number) => number).filter(number => !counts.has(number)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([number]) => number),
    gaps: client.gaps(),
  };
};

/** Follows over one way of rotation with each source. */
export const followAll = async (rotate: Rotate, state: (typeof states)[number]): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const sourceName of ['file', 'glob', 'link'] as const) {
    for (const rotations of sources[sourceName].rotations) {
      outcomes.push(await follow(rotate, state, sourceName, rotations));
    }
  }
  return outcomes;
};

export const describeOutcome = ({name, lost, doubled, gaps}: Outcome): string =>
  `${name}: lost ${lost.join(',') || 'none'}, doubled ${doubled.join(',') || 'none'}, gaps ${gaps}`;
