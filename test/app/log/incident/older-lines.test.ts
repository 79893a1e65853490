import {expect, test} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import type {HeldFrom} from '#log/line/unread.ts';
import {answer, give, openBranch, type Play, showScreen} from '../../../support/play.ts';
import {answerIncident} from '../../play-incident.ts';

const startMs = Date.UTC(2026, 10, 21, 14);
const stamp = (second: number): string => `${new Date(startMs + second * 1000).toISOString().slice(0, -1)}000000Z`;
const fault = (second: number): string => `${stamp(second)} level=error msg="payment refused"`;
const fine = (second: number): string => `${stamp(second)} level=info msg="order stored"`;

/** Lines by their numbers, as a service that numbers them answers. */
const numbered = (first: number, lines: readonly string[], heldFrom: HeldFrom, areEarlier = false) =>
  answer({
    ...{pods: [], lines, sessionId: 's', cut: 'branch' as const, heldFrom, areEarlier},
    numbering: {series: 'a', first, runs: [[0, lines.length] as const], sources: [{pod: 'web'}], losses: []},
  });

const from = (second: number, why: HeldFrom['why']): HeldFrom => ({at: instantFromMs(startMs + second * 1000), why});

const openWith = (
  heldFrom: HeldFrom,
  lines: readonly string[] = Array.from({length: 200}, (_, index) => fault(1000 + index)),
): Play => {
  const play = openBranch({columns: 100});
  play.windowArrives(numbered(1, lines, heldFrom));
  give(play, 'toggleIncident');
  answerIncident(play);
  return play;
};

const earlier = (first: number, firstSecond: number, why: HeldFrom['why']) =>
  numbered(
    first,
    Array.from({length: 500}, (_, index) => fine(firstSecond + index)),
    from(firstSecond, why),
    true,
  );

const titleOf = (play: Play): string => showScreen(play.state)[2] ?? '';

test('where nothing is held to compare with, older lines are read by itself, until there is', () => {
  const play = openWith(from(1000, 'unread'));
  expect(play.effects).toMatchObject([{kind: 'fetchWindow', after: {wants: 'earlier'}}]);
  expect(titleOf(play)).toMatch(/^ INCIDENT since before 14:16:40, 3 min {3}reading older {10}/);
  play.windowArrives(earlier(201, 500, 'unread'));
  play.send({kind: 'pollDue', branchId: 'b-master', generation: 2});
  expect(play.effects).toMatchObject([{kind: 'fetchWindow', after: {wants: 'earlier'}}]);
  play.windowArrives(earlier(701, 0, 'unread'));
  answerIncident(play);
  play.windowArrives(numbered(1201, [], from(0, 'unread')));
  expect(titleOf(play)).toMatch(/^ INCIDENT since 14:16:39, 3 min {20,}errors 0 → 60\/min, /);
  expect(showScreen(play.state).join('\n')).not.toContain('older');
  play.send({kind: 'pollDue', branchId: 'b-master', generation: 2});
  expect(play.effects).not.toMatchObject([{kind: 'fetchWindow', after: {wants: 'earlier'}}]);
});

test('at eighty columns, too, it is seen that older lines are read, whatever else the title has', () => {
  const play = openWith(from(1000, 'unread'));
  play.send({kind: 'resized', columns: 80, rows: 24});
  expect(titleOf(play)).toMatch(/^ INCIDENT since before 14:16:40, 3 min {3}reading older/);
});

test('it is read on by itself for five seconds at most; B reads beyond', () => {
  const play = openWith(from(1000, 'unread'));
  play.wait(5001);
  play.windowArrives(numbered(201, [fault(1200)], from(1000, 'unread')));
  answerIncident(play);
  expect(play.effects).toEqual([]);
  expect(showScreen(play.state).join('\n')).toContain('older  B reads older lines');
  give(play, 'readOlder');
  expect(play.effects).toMatchObject([{kind: 'fetchWindow', after: {wants: 'earlier'}}]);
  play.wait(60_000);
  play.windowArrives(earlier(202, 500, 'unread'));
  play.send({kind: 'pollDue', branchId: 'b-master', generation: 2});
  expect(play.effects).toMatchObject([{kind: 'fetchWindow', after: {wants: 'earlier'}}]);
  play.windowArrives(earlier(702, 0, 'start'));
  answerIncident(play);
  expect(titleOf(play)).toMatch(/^ INCIDENT since 14:16:39, /);
});

test('until it is known whether something is wrong, the title says how much was read', () => {
  const play = openWith(
    from(1000, 'unread'),
    Array.from({length: 20}, (_, index) => fine(1000 + index)),
  );
  expect(titleOf(play)).toBe(' 0 of 15 min read, no verdict yet');
  play.windowArrives(earlier(21, 500, 'unread'));
  expect(titleOf(play)).toBe(' 9 of 15 min read, no verdict yet');
  play.windowArrives(earlier(521, 0, 'start'));
  answerIncident(play);
  expect(titleOf(play)).toMatch(/^ CALM for /);
});

test('while a file is read back from its end, nobody concludes that all is calm, and the verdict comes with its last line', () => {
  const play = openWith(
    from(500, 'unread'),
    Array.from({length: 1000}, (_, index) => fine(500 + index)),
  );
  expect(titleOf(play)).toMatch(/^ CALM for 16 min/);
  play.windowArrives(earlier(1001, 0, 'unread'));
  expect(titleOf(play)).toBe(' 25 min read, no verdict yet');
  play.windowArrives(
    numbered(
      1501,
      Array.from({length: 200}, (_, index) => fault(-200 + index)),
      from(-200, 'start'),
      true,
    ),
  );
  expect(titleOf(play)).toBe(' reading the log, no verdict yet');
  answerIncident(play);
  expect(titleOf(play)).toMatch(/^ INCIDENT /);
});

test('it is not read on where enough is held, nor once the pane is closed', () => {
  const calm = openWith(
    from(0, 'unread'),
    Array.from({length: 1000}, (_, index) => fine(index)),
  );
  expect(calm.effects).toEqual([]);
  const closed = openWith(from(1000, 'unread'));
  give(closed, 'back');
  closed.windowArrives(earlier(201, 500, 'unread'));
  closed.send({kind: 'pollDue', branchId: 'b-master', generation: 2});
  expect(closed.effects).not.toMatchObject([{kind: 'fetchWindow', after: {wants: 'earlier'}}]);
});

test.each([
  ['start', 'the log begins there'],
  ['asked', 'older lines were not asked for: --since reads them'],
  ['file', 'the files of its pods reach no further back'],
  ['memory', 'older lines did not fit into memory'],
] as const)('where none can be read, it says what would help: %s', (why, words) => {
  const play = openWith(from(1000, why));
  expect(showScreen(play.state).join('\n')).toContain(`older  ${words}`);
  give(play, 'readOlder');
  expect(showScreen(play.state).at(-2)).toContain(words);
  expect(play.effects).toEqual([]);
});
