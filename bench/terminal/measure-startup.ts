import {spawn} from 'node:child_process';
import {setTimeout as delay} from 'node:timers/promises';
import {signOf} from './access-line.ts';
import type {PeerName} from './figure.ts';
import type {Measure} from './measure.ts';
import {pickOfPeers} from './peer-figures.ts';
import {residentMbOf} from './process-cost.ts';
import {quantile} from './quantile.ts';
import type {Session} from './session.ts';
import {siteName} from './stage.ts';

const rounds = 15;
/** The first rounds also measure memory, after a rest of this many milliseconds. */
const memoryRounds = 3;
const restMs = 1500;

const branch = 'the-measured-branch';

/** Returns how long a bare `node -e 0` takes, in milliseconds. */
const timeBareNode = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const startMs = performance.now();
    spawn(process.execPath, ['-e', '0'], {stdio: 'ignore'})
      .on('error', reject)
      .on('exit', () => resolve(performance.now() - startMs));
  });

/** A program to start, the text that identifies its first frame, and its results. */
type Starter = {
  readonly start: () => Session;
  readonly text: string;
  readonly tookMs: number[];
  readonly residentMb: number[];
};

const starter = (start: () => Session, text: string): Starter => ({start, text, tookMs: [], residentMb: []});

const startOnce = async ({start, text, tookMs, residentMb}: Starter, restsAfter: boolean): Promise<void> => {
  const startMs = performance.now();
  const session = start();
  await session.shows(text);
  let received = '';
  const isWhole = (piece: string): boolean => {
    received += piece;
    return received.includes(text);
  };
  // A text that arrived in several pieces was complete with the last one.
  const chunk = session.chunks.find(piece => isWhole(piece.text)) ?? session.chunks.at(-1);
  tookMs.push((chunk?.atMs ?? Number.NaN) - startMs);
  if (restsAfter) {
    await delay(restMs);
    residentMb.push(residentMbOf(session.pid));
  }
  await session.close();
};

/** Measures start-up compared with a bare Node, alternating each round, and the memory of a freshly started program. */
export const measureStartup: Measure = async ({stage}) => {
  stage.service.open(branch, {kind: 'told', firstLines: 0, windowLines: 1});
  const sites = starter(() => stage.startProgram([]), siteName);
  const branches = starter(() => stage.startProgram(['site-1']), branch);
  const executable = stage.hasExecutable ? starter(() => stage.startExecutable([]), siteName) : undefined;
  const file = stage.makeFile('start.log', 1000);
  const peers: Partial<Record<PeerName, Starter>> = Object.fromEntries(
    stage.peers.map(peer => [peer, starter(() => stage.startPeer(peer, file.path), signOf(file.lines - 1))]),
  );
  const bareMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bareMs.push(await timeBareNode());
    for (const each of [sites, branches, ...(executable ? [executable] : []), ...Object.values(peers)]) {
      await startOnce(each, round < memoryRounds);
    }
  }
  const ratioOf = ({tookMs}: Starter): number => quantile(tookMs, 0.5) / quantile(bareMs, 0.5);
  const memoryOf = ({residentMb}: Starter): number => quantile(residentMb, 0.5);
  const bare = `beside \`node -e 0\` (${quantile(bareMs, 0.5).toFixed(0)} ms)`;
  const ratios = {unit: '×', peers: pickOfPeers(peers, ratioOf)} as const;
  const memory = {unit: 'MB', peers: pickOfPeers(peers, memoryOf)} as const;
  return [
    {what: `start to the sites, ${bare}`, ...ratios, value: ratioOf(sites), must: 3, aim: 2},
    {what: `start to the branches, ${bare}`, unit: '×', value: ratioOf(branches)},
    {what: 'resident memory, just started: sites', ...memory, value: memoryOf(sites), must: 90, aim: 65},
    {what: 'resident memory, just started: branches', unit: 'MB', value: memoryOf(branches), must: 90, aim: 70},
    ...(executable === undefined
      ? []
      : [
          {
            what: 'the executable: start to the sites',
            unit: '×',
            value: ratioOf(executable),
            must: 2,
            aim: 1.6,
          } as const,
          {
            what: 'the executable: resident memory',
            unit: 'MB',
            value: memoryOf(executable),
            must: 90,
            aim: 65,
          } as const,
        ]),
  ];
};
