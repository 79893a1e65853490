import {expect, test} from 'vitest';
import type {Command} from '#app/keys/keymap.ts';
import type {State} from '#app/state/state.ts';
import {
  answer,
  branchesNamed,
  header,
  openBranch,
  type Play,
  refused,
  sampleState,
  showScreen,
  startAt,
  stateRow,
} from '../../../support/play.ts';
import {answerIncident} from '../../play-incident.ts';

const startMs = Date.UTC(2026, 10, 21, 14);
const stamp = (second: number): string => `${new Date(startMs + second * 1000).toISOString().slice(0, -1)}000000Z`;
const fine = (second: number): string => `${stamp(second)} level=info msg="order stored"`;
const fault = (second: number): string => `${stamp(second)} level=error msg="payment refused"`;

const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
    if (command === 'toggleIncident' && play.state.log?.overlay?.kind === 'incident') {
      answerIncident(play);
    }
  }
};

const windowOf = (second: number, lines: readonly string[]) => ({
  ...answer({pods: [], lines: [...lines], sessionId: 's', cut: 'branch' as const}),
  serviceTimeMs: startMs + second * 1000,
});

/** Ten minutes of a line a second, with payments refused in the last two. */
const openTroubled = (change: Partial<State> = {}) => {
  const held = Array.from({length: 600}, (_, second) =>
    second > 480 && second % 3 === 0 ? fault(second) : fine(second),
  );
  const play = openBranch({columns: 120, ...change});
  play.windowArrives(windowOf(600, held));
  let now = 600;
  /** Some seconds later the service has a line more, fine or not, after those that it had. */
  const windowAfter = (seconds: number, lineOf = fine) => {
    play.wait(seconds * 1000);
    now += seconds;
    held.push(lineOf(now - 1));
    return windowOf(now, held.slice(-600));
  };
  return {
    play,
    windowAfter,
    poll: (...after: Parameters<typeof windowAfter>) => play.windowArrives(windowAfter(...after)),
  };
};

const findingRow = (play: Play): string => showScreen(play.state).find(row => row.includes('payment refused  ')) ?? '';

const watched = (change?: Partial<State>) => {
  const opened = openTroubled(change);
  give(opened.play, 'toggleIncident', 'moveDown', 'watchFinding');
  return opened;
};

test('tells in the header and in the pane whether a finding goes on, stopped, and came again', () => {
  const {play, poll} = watched();
  expect(header(play)).toContain('payment refused: still: 20 in the last minute');
  expect(findingRow(play)).toMatch(/payment refused {2}still: 20 in the last minute; new, first 14:08:03/);
  give(play, 'back');
  poll(30);
  expect(header(play)).toContain('payment refused: still: 10 in the last minute');
  poll(30);
  poll(30);
  expect(header(play)).toContain('payment refused: 0 in 1 min, log joined');
  for (let minute = 0; minute < 5; minute++) {
    poll(60);
  }
  expect(header(play)).toContain('payment refused: 0 in 6 min, log joined');
  poll(30, fault);
  expect(header(play)).toContain('payment refused: again at 14:16:59, 1 in the last minute');
  expect(stateRow(play)).toBe('again: payment refused');
});

test('tells that it cannot tell over a gap, a silence and an outage', () => {
  const {play, poll} = watched();
  poll(30);
  play.wait(45_000);
  const others = Array.from({length: 600}, (_, index) => fine(660 + index / 50));
  play.windowArrives(windowOf(675, others));
  expect(header(play)).toContain("payment refused: can't tell: gap 14:00:01 to 14:11:11");
  play.wait(61_000);
  others.push(fine(735));
  play.windowArrives(windowOf(736, others.slice(-600)));
  expect(header(play)).toContain('0 in 1 min, log joined, before that: gap 14:00:01 to 14:11:11');
  play.wait(61_000);
  play.windowArrives(windowOf(797, others.slice(-600)));
  expect(header(play)).toContain("can't tell: nothing was written since ");
  play.windowFails(refused);
  expect(header(play)).toContain("can't tell: no answer since ");
});

test('goes on while the log is held, tells there that it came again, and ends with the same key', () => {
  const {play, poll, windowAfter} = watched();
  poll(61);
  give(play, 'back', 'back');
  const generation = play.state.held.at(-1)?.generation ?? 0;
  play.send({kind: 'windowArrived', branchId: 'b-master', generation, answer: windowAfter(20, fault)});
  expect(stateRow(play)).toContain('again: payment refused');
  give(play, 'open');
  expect(header(play)).toContain('payment refused: again at 14:11:20, 1 in the last minute');
  give(play, 'watchFinding');
  expect(header(play)).not.toContain('payment refused');
  expect(stateRow(play)).toBe('payment refused is no longer watched');
  give(play, 'watchFinding');
  expect(stateRow(play)).toBe('I lists findings; W on one watches whether it stopped');
});

test('calls a user who is to be called', () => {
  const {play, poll} = watched({notifyRules: {firstError: false, quietMs: 60_000}});
  poll(61);
  poll(61);
  expect(play.effects.map(({kind}) => kind)).not.toContain('callUser');
  poll(10, fault);
  expect(play.effects).toContainEqual(
    expect.objectContaining({kind: 'callUser', why: 'again', text: 'again: payment refused'}),
  );
});

test('where nothing was found, no row can be watched, and it says so', () => {
  const calm = startAt(sampleState({columns: 120}));
  give(calm, 'open');
  calm.branchesArrive(branchesNamed('master'));
  give(calm, 'open');
  calm.windowArrives(
    windowOf(
      600,
      Array.from({length: 600}, (_, second) => (second % 200 === 7 ? fault(second) : fine(second))),
    ),
  );
  give(calm, 'toggleIncident', 'watchFinding');
  expect(showScreen(calm.state)[2]).toMatch(/^ CALM for 10 min/);
  expect(stateRow(calm)).toBe('nothing was found that could be watched');
});
