import {setTimeout as delay} from 'node:timers/promises';
import {waitFor} from '../../test/support/wait-for.ts';
import {signOf} from './access-line.ts';
import type {PeerName} from './figure.ts';
import {residentMbOf} from './process-cost.ts';
import type {Session} from './session.ts';
import type {Stage} from './stage.ts';

export const millionLines = 1_000_000;
const windowLines = 10_000;
/** A tenth of each window overlaps with the previous one. */
const linesPerRequest = 9000;
/** Windows without new lines, after all lines are held: pending clean-up gets done. */
const restRequests = 2;
const restMs = 1000;

/** The program and its peers, each at the end of the same million lines. */
export type Million = {
  readonly program: Session;
  readonly peers: readonly (readonly [PeerName, Session])[];
  /** The program's resident memory with all lines held, before any key. */
  readonly residentMb: number;
};

const holdInProgram = async ({service, startProgram}: Stage): Promise<Session> => {
  const branch = 'million';
  service.open(branch, {
    kind: 'stepping',
    firstLines: windowLines,
    windowLines,
    linesPerRequest,
    linesMax: millionLines,
  });
  const program = startProgram(['site-1', branch]);
  const isSent = (): boolean => service.answered(branch).linesLogged === millionLines;
  await waitFor(isSent, {what: 'a million lines to be asked for', deadlineMs: 150_000});
  await program.shows(signOf(millionLines - 1));
  const {requests} = service.answered(branch);
  const rested = (): boolean => service.answered(branch).requests >= requests + restRequests;
  await waitFor(rested, {what: 'a few more windows', deadlineMs: 30_000});
  await delay(restMs);
  return program;
};

const holdInPeers = async ({peers, makeFile, startPeer}: Stage): Promise<Million['peers']> => {
  if (peers.length === 0) {
    return [];
  }
  const file = makeFile('million.log', millionLines);
  const sessions = peers.map(peer => [peer, startPeer(peer, file.path)] as const);
  for (const [, session] of sessions) {
    await session.shows(signOf(millionLines - 1));
    await delay(restMs);
  }
  return sessions;
};

/** Creates the million lines on first use; the measures that need them share them. */
export const createMillion = (stage: Stage): (() => Promise<Million>) => {
  let million: Promise<Million> | undefined;
  const make = async (): Promise<Million> => {
    const program = await holdInProgram(stage);
    const residentMb = residentMbOf(program.pid);
    return {program, residentMb, peers: await holdInPeers(stage)};
  };
  return () => {
    million ??= make();
    return million;
  };
};
