import {waitFor} from '../../test/support/wait-for.ts';
import {signOf} from './access-line.ts';
import type {Measure} from './measure.ts';
import {measurePeers, pickOfPeers} from './peer-figures.ts';
import {quantile} from './quantile.ts';
import type {Session} from './session.ts';

const linesCounted = 30;
/** Not counted: with the first lines the header learns the rate. */
const warmUpLines = 5;
const firstLines = 1000;
/** A line's output is complete after this many milliseconds without more. */
const lineQuietMs = 300;

/** Returns all bytes from one new line until nothing more comes, for each line. */
const countBytes = async (session: Session, addLine: () => void): Promise<readonly number[]> => {
  const counts: number[] = [];
  for (let line = 0; line < warmUpLines + linesCounted; line += 1) {
    const before = session.bytesReceived();
    addLine();
    await waitFor(() => session.bytesReceived() > before, {what: 'a line to be drawn', deadlineMs: 30_000});
    await session.quiet(lineQuietMs);
    counts.push(session.bytesReceived() - before);
  }
  return counts.slice(warmUpLines);
};

/** Measures the bytes that one new line costs while following, including header and footer. */
export const measureLine: Measure = async ({stage}) => {
  const branch = 'one-by-one';
  stage.service.open(branch, {kind: 'told', firstLines, windowLines: firstLines});
  const program = stage.startProgram(['site-1', branch], {interval: '250ms'});
  await program.shows(signOf(firstLines - 1));
  const file = stage.makeFile('one-by-one.log', firstLines);
  const sessions = stage.peers.map(peer => [peer, stage.startPeer(peer, file.path, {follow: true})] as const);
  const counts = await countBytes(program, () => stage.service.add(branch, 1));
  const peers = await measurePeers(sessions, async session => {
    await session.shows(signOf(file.lines - 1));
    return countBytes(session, () => file.add(1));
  });
  await Promise.all([program, ...sessions.map(([, session]) => session)].map(session => session.close()));
  const row = (share: number) => ({
    unit: 'B' as const,
    value: quantile(counts, share),
    must: 450,
    aim: 250,
    peers: pickOfPeers(peers, peerCounts => quantile(peerCounts, share)),
  });
  return [
    {what: 'bytes for one new line, following: median', ...row(0.5)},
    {what: 'bytes for one new line, following: most', ...row(1)},
  ];
};
