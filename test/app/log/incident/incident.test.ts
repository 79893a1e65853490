import {describe, expect, test} from 'vitest';
import {formatIncident} from '../../../../src/app/export/incident-note.ts';
import {createTally} from '../../../../src/app/export/tally.ts';
import type {Command} from '../../../../src/app/keys/keymap.ts';
import {readOverlay} from '../../../../src/app/reader/read/read-log.ts';
import {answerSearches} from '../../play-search.ts';
import {answer, type Play, sampleBranches, sampleState, startAt} from '../../sample-state.ts';
import {showScreen} from '../../show-screen.ts';

const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
  }
};

const stamp = (second: number): string =>
  `${new Date(Date.UTC(2026, 10, 21, 14) + Math.round(second * 1000)).toISOString().slice(0, -1)}000000Z`;

const access = (second: number, path: string, status: number): readonly [number, string] => [
  second,
  `10.2.0.7 - - [21/Nov/2026:14:00:00 +0000] "POST ${path} HTTP/1.1" ${status} 157`,
];

/** Ten calm minutes; from 14:08:20 half of /checkout fails, and the gateway times out. */
const lines: readonly (readonly [number, string])[] = Array.from({length: 600}, (_, second) => [
  access(second, '/cart/7', 200),
  access(second + 0.1, '/checkout', second >= 500 && second % 2 === 0 ? 502 : 200),
  ...(second >= 500 && second % 10 === 0 ? [[second + 0.2, 'ERROR Payment gateway \u001b[31mtimed out'] as const] : []),
]).flat();

const pod = (name: string, createdAt: string) => ({name, resourceVersion: '1', metadata: {}, createdAt});

const branchOf = (lastActivityAt: string) =>
  sampleBranches
    .filter(({name}) => name === 'master')
    .map(branch => ({
      ...branch,
      lastActivity: {
        _id: 'a',
        action: 'UPDATE_CONFIG',
        createdBy: 'user-9',
        status: 'SUCCESS',
        updatedAt: lastActivityAt,
      },
    }));

const open = (size: {columns?: number; rows?: number} = {}, some = lines): Play => {
  const play = startAt(sampleState(size));
  give(play, 'open');
  play.branchesArrive(branchOf('2026-11-21T14:08:00.000Z'));
  give(play, 'open');
  play.windowArrives(
    answer({
      pods: [pod('web-2', '2026-11-21T14:07:58Z')],
      lines: some.map(([second, text]) => `${stamp(second)} ${text}`),
      sessionId: 's',
      cut: 'branch',
    }),
  );
  return play;
};

const paneOf = (play: Play): readonly string[] => showScreen(play.state).slice(2, -2);
const stateRow = (play: Play): string => showScreen(play.state).at(-2)?.trim() ?? '';
const cursorRow = (play: Play): string => paneOf(play).find(row => row.includes('▸')) ?? '';

describe('the pane', () => {
  test('tells when errors rose, what changed before, what is new and what carries it', () => {
    const play = open();
    give(play, 'toggleIncident');
    expect(paneOf(play)).toEqual([
      ' incident   13:53:20 to 14:09:59                          joined since 14:00:00',
      ' ▸ Errors rose at 14:08:20, from 0 to 37 a minute; still going on.',
      '   Before it  14:07:58  pod web-2 came                       22 s before',
      '              14:08:00  UPDATE_CONFIG SUCCESS by user-9      20 s before',
      '   New        14:08:20  POST ‹path› 502                      50 ×',
      '              14:08:20  ERROR Payment gateway timed out      10 ×',
      '   Share      status 502                                     0 → 25 %',
      '              errors of path /checkout                       0 → 25 %',
      '              ERROR Payment gateway timed out                0 → 4 %',
      '              of 1,002 lines before, and of 207 lines in it',
    ]);
  });

  test('an activity that says nothing is no change', () => {
    const play = startAt(sampleState());
    const empty = {_id: '', action: '', createdBy: '', status: '', updatedAt: '2026-11-21T14:08:00.000Z'};
    give(play, 'open');
    play.branchesArrive(branchOf('').map(branch => ({...branch, lastActivity: empty})));
    give(play, 'open');
    play.windowArrives(
      answer({
        pods: [],
        lines: lines.map(([second, text]) => `${stamp(second)} ${text}`),
        sessionId: 's',
        cut: 'branch',
      }),
    );
    give(play, 'toggleIncident');
    expect(paneOf(play)[2]?.trim()).toBe('Before it  no change of the branch or its pods is known');
  });

  test('before a rise nothing changed, although a pod came since; a warning that was new before has its distance', () => {
    const warnings = Array.from({length: 20}, (_, index) => [440 + index, 'WARN gateway is slow'] as const);
    const some = [...lines, ...warnings].toSorted(([a], [b]) => a - b);
    const play = startAt(sampleState());
    give(play, 'open');
    play.branchesArrive(branchOf(''));
    give(play, 'open');
    const pods = [pod('web-2', '2026-11-21T14:09:00Z')];
    play.windowArrives(
      answer({pods, lines: some.map(([second, text]) => `${stamp(second)} ${text}`), sessionId: 's', cut: 'branch'}),
    );
    give(play, 'toggleIncident');
    const rows = paneOf(play).map(row => row.trim());
    expect(rows[2]).toBe('Before it  no change of the branch or its pods is known');
    expect(rows[3]).toMatch(/^Since +14:09:00 +pod web-2 came +39 s after$/);
    expect(rows).toContainEqual(expect.stringMatching(/^14:07:20 +WARN gateway is slow +20 ×, 1 min before$/));
  });

  test('what changed since stands behind what changed before', () => {
    const play = open();
    const next = lines.slice(-2).map(([second, text]) => `${stamp(second)} ${text}`);
    const pods = Array.from({length: 5}, (_, index) => pod(`web-${index + 3}`, `2026-11-21T14:09:0${index}Z`));
    play.windowArrives(answer({pods, lines: next, sessionId: 's', cut: 'branch'}));
    give(play, 'toggleIncident');
    expect(
      paneOf(play)
        .slice(2, 6)
        .map(row => row.trim()),
    ).toEqual([
      expect.stringMatching(/^Before it +14:08:00 /),
      expect.stringMatching(/^Since +14:09:59 +pod web-2 went; .* 1 min after$/),
      expect.stringMatching(/^14:09:59 +pod web-3 came +1 min after$/),
      expect.stringMatching(/^New /),
    ]);
  });

  test.each([
    [20, 5],
    [40, 10],
    [59, 12],
    [200, 50],
  ])('on %i×%i every row fits, and each with a place can be gone to', (columns, rows) => {
    const play = open({columns, rows});
    give(play, 'toggleIncident');
    for (let step = 0; step < 8; step++) {
      const screen = showScreen(play.state);
      expect(Math.max(...screen.map(row => [...row].length))).toBeLessThanOrEqual(columns);
      expect(screen.length).toBeLessThanOrEqual(rows);
      expect(cursorRow(play)).not.toBe('');
      give(play, 'moveDown');
    }
    expect(cursorRow(play)).toMatch(columns === 20 ? /▸/ : /ERROR/);
    give(play, 'goLast', 'goFirst');
    expect(cursorRow(play)).toMatch(/^ ▸ Errors rose/);
  });

  test('without errors, and with too little log, it says so', () => {
    const calm = open(
      {},
      lines.filter(([second]) => second < 500),
    );
    give(calm, 'toggleIncident');
    expect(paneOf(calm)[1]?.trim()).toBe('No errors in the 8 min of log held.');
    expect(paneOf(calm)[2]).toMatch(/^ ▸ Changed +14:07:58 +pod web-2 came +21 s ago$/);
    expect(paneOf(calm)[4]?.trim()).toBe('New        no kind of warning or error that is new');
    const short = open(
      {},
      lines.filter(([second]) => second > 560),
    );
    give(short, 'toggleIncident');
    expect(paneOf(short)[1]?.trim()).toBe('Only 39 s of log are held: too little to tell a rise.');
    const empty = open({}, []);
    give(empty, 'toggleIncident');
    expect(stateRow(empty)).toBe('the log has no lines yet');
  });

  test('what is more than a day old shows its day', () => {
    const play = open();
    play.branchesArrive(branchOf('2026-11-19T14:00:00.000Z'));
    give(play, 'toggleIncident');
    expect(paneOf(play)[2]).toMatch(/^ {3}Before it +11-19 +UPDATE_CONFIG SUCCESS by user-9 +2 days before$/);
  });

  test('a screen reader hears the row', () => {
    const play = open();
    give(play, 'toggleIncident', 'moveDown', 'moveDown');
    const {log} = play.state;
    expect(log?.overlay && readOverlay(play.state, log, log.overlay)).toBe(
      'Before it, 14:08:00, UPDATE_CONFIG SUCCESS by user-9, 20 s before',
    );
  });
});

describe('Enter goes there', () => {
  const goTo = (play: Play, downs: number): string => {
    give(play, 'toggleIncident', ...Array.from({length: downs}, () => 'moveDown' as const), 'openLine');
    return cursorRow(play);
  };

  test('to the first error, to a time, to the first line of a new shape, and of a share', () => {
    const play = open();
    expect(goTo(play, 0)).toMatch(/^▸[ ✗!] 14:08:20\.100 502 POST \/checkout/);
    expect(play.state.log?.overlay).toBeUndefined();
    expect(goTo(play, 1)).toMatch(/^▸[ ✗!] 14:07:58\.000/);
    expect(goTo(play, 4)).toMatch(/^▸[ ✗!] 14:08:20\.200 ERROR Payment gateway/);
    expect(goTo(play, 6)).toMatch(/^▸[ ✗!] 14:08:20\.100 502 POST \/checkout/);
  });

  test('unless filters hide the line', () => {
    const play = open();
    give(play, 'filterOut');
    play.send({kind: 'textTyped', text: 'checkout'});
    play.send({kind: 'inputKey', key: 'Enter'});
    answerSearches(play);
    give(play, 'toggleIncident', 'openLine');
    expect(stateRow(play)).toBe('the filters hide that line, or it has left the buffer');
    give(play, 'moveDown', 'moveDown', 'moveDown', 'moveDown', 'openLine');
    expect(cursorRow(play)).toMatch(/^▸[ ✗!] 14:08:20\.200 ERROR Payment gateway/);
  });

  test('Esc and the same key close it, and the log is where it was', () => {
    for (const close of ['back', 'toggleIncident'] as const) {
      const play = open();
      const {viewport} = play.state.log ?? expect.fail('no log');
      give(play, 'toggleIncident', 'moveDown', close);
      expect(play.state.log?.overlay).toBeUndefined();
      expect(play.state.log?.viewport).toBe(viewport);
    }
  });
});

test('of several branches each row says whose it is', () => {
  const play = startAt(sampleState());
  give(play, 'open');
  play.branchesArrive(sampleBranches.filter(({name}) => ['master', 'staging'].includes(name)));
  give(play, 'toggleMark', 'moveDown', 'toggleMark', 'open');
  const windowOf = (some: typeof lines) =>
    answer({
      pods: [],
      lines: some.map(([second, text]) => `${stamp(second)} ${text}`),
      sessionId: 's',
      cut: 'branch' as const,
    });
  play.windowArrives(windowOf(lines), 'b-staging');
  play.windowArrives(windowOf(lines.filter(([, text]) => text.includes('200'))), 'b-master');
  give(play, 'toggleIncident');
  expect(paneOf(play).find(row => row.includes('New'))).toMatch(/New +14:08:20 +staging: POST ‹path› 502 +50 ×$/);
});

test('the note has what the pane shows, and asks for its file from the pane', () => {
  const play = open();
  give(play, 'toggleIncident');
  const shown = play.state.log?.overlay;
  give(play, 'saveIncident');
  play.send({kind: 'inputKey', key: 'Enter'});
  const [request] = play.effects.flatMap(effect => (effect.kind === 'saveFile' ? [effect.request] : []));
  const {incident, facts, scope} = request ?? expect.fail('nothing is saved');
  expect(shown?.kind === 'incident' && shown.incident).toBe(incident);
  expect(play.state.log?.overlay).toBe(shown);
  const note = formatIncident({
    facts,
    tally: createTally().result(),
    chosen: scope.chosen,
    marks: [],
    incident,
    version: '1.2.3',
  });
  expect(note).toContain('Errors rose at 2026-11-21T14:08:20.100000000Z, from 0 to 37 a minute; still going on.');
  expect(note).toContain(
    '| 2026-11-21T14:08:00.000000000Z | 20 s before | master | UPDATE\\_CONFIG SUCCESS by user-9 |',
  );
  expect(note).toContain('| 50 | master | POST ‹path› 502 |');
  expect(note).toContain('| status 502 | 0 → 25 % |');
});

test('a note without the pane has it too', () => {
  const play = open();
  give(play, 'saveIncident');
  play.send({kind: 'inputKey', key: 'Enter'});
  const [request] = play.effects.flatMap(effect => (effect.kind === 'saveFile' ? [effect.request] : []));
  expect(request?.incident?.search.kind).toBe('rise');
});

test('the incident is copied as it stands, without leaving it', () => {
  const play = open();
  give(play, 'toggleIncident', 'copyLines');
  const [copied] = play.effects;
  expect(copied).toMatchObject({kind: 'copy', what: 'the incident'});
  expect(copied?.kind === 'copy' && copied.text).toContain('UPDATE_CONFIG');
  expect(play.state.log?.overlay?.kind).toBe('incident');
});
