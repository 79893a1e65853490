import {setTimeout as delay} from 'node:timers/promises';
import {signOf} from './access-line.ts';
import type {PeerName} from './figure.ts';
import {type Observation, observe} from './observe.ts';
import type {Session} from './session.ts';
import type {Stage} from './stage.ts';

/** Not observed: code is being compiled and the pace learned. */
const warmUpMs = 10_000;
const observedMs = 30_000;
/** Interval at which a file gets its lines, in milliseconds; longer if there are fewer lines. */
const fileStepMs = 100;

/** Starts the program on a branch whose log grows at a given rate. */
export const followRate = async (
  {service, startProgram}: Stage,
  options: {readonly branch: string; readonly linesPerSecond: number; readonly windowLines: number},
): Promise<Session> => {
  const {branch, linesPerSecond, windowLines} = options;
  service.open(branch, {kind: 'timed', firstLines: windowLines, windowLines, linesPerSecond});
  const program = startProgram(['site-1', branch]);
  await program.shows('/product/');
  return program;
};

/** Starts the peers on a file that grows at that rate. */
const followInPeers = async ({peers, makeFile, startPeer}: Stage, linesPerSecond: number, firstLines: number) => {
  const file = makeFile(`rate-${linesPerSecond}.log`, firstLines);
  const sessions = peers.map(peer => [peer, startPeer(peer, file.path, {follow: true})] as const);
  for (const [, session] of sessions) {
    await session.shows(signOf(file.lines - 1));
  }
  const startMs = performance.now();
  const timer = setInterval(
    () => {
      const due = firstLines + Math.floor(((performance.now() - startMs) / 1000) * linesPerSecond);
      if (due > file.lines) {
        file.add(due - file.lines);
      }
    },
    Math.max(fileStepMs, linesPerSecond === 0 ? 0 : 1000 / linesPerSecond),
  );
  return {
    sessions,
    async close() {
      clearInterval(timer);
      await Promise.all(sessions.map(([, session]) => session.close()));
    },
  };
};

/** Observes programs that follow a log, and peers that follow a file of the same rate, all at once. */
export const watchRate = async (
  stage: Stage,
  programs: readonly Session[],
  options: {readonly linesPerSecond: number; readonly firstLines: number; readonly observedMs?: number},
): Promise<{
  readonly programs: readonly Observation[];
  readonly peers: Partial<Record<PeerName, Observation>>;
}> => {
  const peers = await followInPeers(stage, options.linesPerSecond, options.firstLines);
  await delay(warmUpMs);
  const look = (session: Session): Promise<Observation> => observe(session, options.observedMs ?? observedMs);
  const [ofPrograms, ofPeers] = await Promise.all([
    Promise.all(programs.map(look)),
    Promise.all(peers.sessions.map(async ([peer, session]) => [peer, await look(session)] as const)),
  ]);
  await peers.close();
  return {programs: ofPrograms, peers: Object.fromEntries(ofPeers)};
};
