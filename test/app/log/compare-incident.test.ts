import {afterEach, beforeEach, expect, test} from 'vitest';
import {createClient} from '#api/client/client.ts';
import {createTokenProvider} from '#api/client/token.ts';
import {findInSlices} from '#app/log/find-in-slices.ts';
import type {Event} from '#app/state/event.ts';
import {makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, fakeToken, startFakeService} from '../../support/fake-service.ts';
import {answer, give, onBranches, openBranch, type Play, sampleBranches, showScreen, type} from '../../support/play.ts';

let service: FakeService;
beforeEach(async () => {
  service = await startFakeService();
  service.setBranches(
    'site-1',
    ['b-master', 'b-staging', 'b-hotfix'].map(id => makeBuiltBranch(id, id)),
  );
});
afterEach(() => service.close());

const stamp = (second: number): string =>
  `${new Date(Date.UTC(2026, 10, 21, 14) + second * 1000).toISOString().slice(0, -1)}000000Z`;
/** Ten minutes; with errors every other second from 14:08:20. */
const linesOf = (hasErrors: boolean, from = 0, to = 600): readonly string[] =>
  Array.from({length: to - from}, (_, index) => from + index).flatMap(second => [
    `${stamp(second)} GET /cart/7 200`,
    ...(hasErrors && second >= 500 && second % 2 === 0
      ? [`${stamp(second + 0.2)} ERROR Payment gateway timed out`]
      : []),
  ]);
const windowOf = (lines: readonly string[]) => answer({pods: [], lines, sessionId: 's', cut: 'branch' as const});

/** Carries out what was asked for last, as the effect does. */
const carryOut = async (play: Play): Promise<void> => {
  const asked = play.effects.findLast(effect => effect.kind === 'findIncident');
  if (asked === undefined) {
    return;
  }
  const client = createClient({
    baseUrl: service.baseUrl,
    tenant: 'org-1',
    authMode: 'mode-1',
    token: createTokenProvider({kind: 'environment', variable: 'T'}, {env: {T: fakeToken}, nowMs: Date.now}),
  });
  const events: Event[] = [];
  const {signal} = new AbortController();
  const tools = {client: Promise.resolve(client), nowMs: () => play.state.nowMs};
  await findInSlices(asked.order, tools, signal, event => void events.push(event));
  client.close();
  for (const event of events) {
    play.send(event);
  }
};

const open = async (): Promise<Play> => {
  const play = openBranch({columns: 120}, sampleBranches);
  play.windowArrives(windowOf(linesOf(true)), 'b-master');
  give(play, 'toggleIncident');
  await carryOut(play);
  return play;
};

const compareWith = async (play: Play, name: string): Promise<void> => {
  type(play, 'compareIncident', name);
  await carryOut(play);
};

const paneOf = (play: Play): string => showScreen(play.state).slice(2, -2).join('\n');
const looks = (): number => service.requests.filter(({operation}) => operation === 'logs').length;

test('each finding says whether it is only here, as the log of the other branch has it now', async () => {
  const play = await open();
  service.setLog('b-staging', () => ({lines: linesOf(false)}));
  service.setLog('b-hotfix', () => ({lines: linesOf(true)}));
  await compareWith(play, 'stag');
  expect(paneOf(play)).toMatch(/^ .* {3}compared with staging /);
  expect(paneOf(play)).toMatch(/Payment gateway timed out {2}.*only here/);
  await compareWith(play, 'hotfix/cart');
  expect(paneOf(play)).toMatch(/Payment gateway timed out {2}.*also in hotfix\/cart: 3.*\/min/);
  give(play, 'compareIncident');
  expect(paneOf(play).split('\n').slice(0, 3)).toEqual([
    ' ▸ hotfix/cart                              compared now',
    '   none                                     compare no more',
    '   staging                                  deploy failed',
  ]);
  play.send({kind: 'inputKey', key: 'Down'});
  play.send({kind: 'inputKey', key: 'Enter'});
  await carryOut(play);
  expect(paneOf(play)).not.toMatch(/hotfix|only here/);
  expect(looks()).toBe(2);
});

test('where the other log has a hole it says that nobody can tell, and why', async () => {
  const play = await open();
  service.setLog('b-staging', () => ({lines: linesOf(false, 590)}));
  await compareWith(play, 'staging');
  expect(paneOf(play)).toContain("in staging can't tell: none held before 14:09:50");
  expect(paneOf(play)).not.toContain('only here');
});

test('the branches are listed, those that a typed name is like first; one that is like none asks for nothing', async () => {
  const play = await open();
  give(play, 'compareIncident');
  const listed = (): readonly string[] =>
    paneOf(play)
      .split('\n')
      .map(row => row.trim().split(/ {2,}/)[0] ?? '');
  expect(listed()).toEqual(['▸ staging', 'hotfix/cart', 'experiment']);
  expect(showScreen(play.state).at(-1)).toBe(' Enter take   Esc leave   ↑↓ choose');
  play.send({kind: 'textTyped', text: 'hot'});
  expect(listed()).toEqual(['▸ hotfix/cart']);
  play.send({kind: 'textTyped', text: 'master'});
  expect(listed()).toEqual(['']);
  play.send({kind: 'inputKey', key: 'Enter'});
  expect(showScreen(play.state).at(-2)).toBe(' no other branch with a log is like “hotmaster”');
  expect(looks()).toBe(0);
});

test('a log that may not be read is told, and the findings stay', async () => {
  const play = await open();
  service.failNext({kind: 'status', status: 403}, {operation: 'logs'});
  await compareWith(play, 'staging');
  expect(showScreen(play.state).join('\n')).toContain('not compared with staging: not permitted');
  expect(paneOf(play)).toContain('Payment gateway timed out');
  expect(paneOf(play)).not.toContain('compared with staging');
});

test('the log that was left last is offered, and what is held of it counts', async () => {
  const play = onBranches(sampleBranches, {columns: 120});
  give(play, 'moveDown', 'open');
  const held = play.state.log?.sources[0].branch;
  play.windowArrives(windowOf(linesOf(false)));
  give(play, 'back', 'moveUp', 'open');
  play.windowArrives(windowOf(linesOf(true)));
  give(play, 'toggleIncident');
  await carryOut(play);
  give(play, 'compareIncident');
  expect(paneOf(play)).toMatch(new RegExp(`^ ▸ ${held?.name} +its log is held$`, 'm'));
  service.setLog(held?._id ?? '', () => ({lines: linesOf(false, 595)}));
  play.send({kind: 'inputKey', key: 'Enter'});
  await carryOut(play);
  expect(paneOf(play)).toMatch(/Payment gateway timed out {2}.*only here/);
});

test('findings are found anew as lines come, three seconds apart at least, and the highlight stays with its finding', async () => {
  const play = await open();
  const isHighlighted = (): boolean => /▸✗ .*Payment gateway timed out/.test(paneOf(play));
  expect(isHighlighted()).toBe(true);
  const finds = (): boolean => play.effects.some(({kind}) => kind === 'findIncident');
  play.wait(2900);
  play.windowArrives(windowOf(linesOf(true, 300, 609)));
  expect(finds()).toBe(false);
  expect(paneOf(play)).toContain('as of 14:09:59');
  play.wait(100);
  play.windowArrives(windowOf(linesOf(true, 300, 610)));
  expect(finds()).toBe(true);
  expect(paneOf(play)).toContain('Payment gateway timed out');
  // One at a time.
  play.wait(60_000);
  play.windowArrives(windowOf(linesOf(true, 300, 611)));
  expect(finds()).toBe(false);
  give(play, 'toggleIncident', 'toggleIncident');
  await carryOut(play);
  expect(paneOf(play)).not.toContain('as of');
  // Nothing new: nothing to find, until so much time has gone by that this tells something.
  play.tickAfter(9900);
  expect(finds()).toBe(false);
  play.tickAfter(100);
  expect(finds()).toBe(true);
  await carryOut(play);
  give(play, 'moveDown');
  play.wait(10_000);
  play.windowArrives(windowOf([...linesOf(true, 300, 612), `${stamp(613)} ERROR disk full`]));
  await carryOut(play);
  expect(isHighlighted()).toBe(true);
  expect(paneOf(play)).not.toContain('as of');
});
