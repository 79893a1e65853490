import {expect, test} from 'vitest';
import type {HeldFrom} from '../../../../src/log/line/held-from.ts';
import {instantFromMs} from '../../../../src/log/line/instant.ts';
import {answerIncident} from '../../play-incident.ts';
import {answer, sampleBranches, sampleState, startAt} from '../../sample-state.ts';
import {showScreen} from '../../show-screen.ts';

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

const openWith = (heldFrom: HeldFrom) => {
  const play = startAt(sampleState({columns: 100}));
  play.send({kind: 'commandGiven', command: 'open'});
  play.branchesArrive(sampleBranches.filter(({name}) => name === 'master'));
  play.send({kind: 'commandGiven', command: 'open'});
  play.windowArrives(
    numbered(
      1,
      Array.from({length: 200}, (_, index) => fault(1000 + index)),
      heldFrom,
    ),
  );
  play.send({kind: 'commandGiven', command: 'toggleIncident'});
  answerIncident(play);
  return play;
};

test('older lines are read where there are some, and the incident is found anew', () => {
  const play = openWith(from(1000, 'unread'));
  expect(showScreen(play.state).join('\n')).toContain('Older    B reads older lines');
  play.send({kind: 'commandGiven', command: 'readOlder'});
  expect(play.effects).toMatchObject([{kind: 'fetchWindow', after: {wants: 'earlier'}}]);
  play.windowArrives(
    numbered(
      201,
      Array.from({length: 500}, (_, index) => fine(500 + index)),
      from(500, 'unread'),
      true,
    ),
  );
  play.send({kind: 'pollDue', branchId: 'b-master', generation: 2});
  expect(play.effects).toMatchObject([{kind: 'fetchWindow', after: {wants: 'earlier'}}]);
  play.windowArrives(
    numbered(
      701,
      Array.from({length: 500}, (_, index) => fine(index)),
      from(0, 'unread'),
      true,
    ),
  );
  answerIncident(play);
  const pane = showScreen(play.state).join('\n');
  expect(pane).toContain('incident since 14:16:39, 3 min');
  expect(pane).toMatch(/Errors +0 → 60\/min/);
  expect(pane).not.toContain('Older');
  play.send({kind: 'pollDue', branchId: 'b-master', generation: 2});
  expect(play.effects).not.toMatchObject([{kind: 'fetchWindow', after: {wants: 'earlier'}}]);
});

test.each([
  ['start', 'the log begins there'],
  ['asked', 'older lines were not asked for: --since reads them'],
  ['file', 'the files of its pods reach no further back'],
  ['memory', 'older lines did not fit into memory'],
] as const)('where none can be read, it says what would help: %s', (why, words) => {
  const play = openWith(from(1000, why));
  expect(showScreen(play.state).join('\n')).toContain(`Older    ${words}`);
  play.send({kind: 'commandGiven', command: 'readOlder'});
  expect(showScreen(play.state).at(-2)).toContain(words);
  expect(play.effects).toEqual([]);
});
