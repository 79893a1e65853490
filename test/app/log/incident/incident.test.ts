import {describe, expect, test} from 'vitest';
import {createTally} from '#app/export/manifest.ts';
import type {Command} from '#app/keys/keymap.ts';
import {readOverlay} from '#app/log/read-log.ts';
import {formatIncident} from '#app/timeline/incident-note.ts';
import {findIncident} from '#log/incident/find-incident.ts';
import {parseInstant} from '#log/line/instant.ts';
import {finishWork} from '#log/work.ts';
import {
  answer,
  branchesNamed,
  onBranches,
  openBranch,
  type Play,
  sampleBranches,
  sampleState,
  showScreen,
  startAt,
  stateRow,
} from '../../../support/play.ts';
import {answerIncident} from '../../play-incident.ts';
import {answerSearches} from '../../play-search.ts';

const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
    if (command === 'toggleIncident' && play.state.log?.overlay?.kind === 'incident') {
      answerIncident(play);
    }
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
  const play = openBranch(size, branchOf('2026-11-21T14:08:00.000Z'));
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

const paneOf = (play: Play): readonly string[] =>
  showScreen(play.state)
    .slice(2, -2)
    .filter(row => row !== '');
const cursorRow = (play: Play): string => paneOf(play).find(row => row.includes('▸')) ?? '';

describe('the pane', () => {
  test('tells what is wrong and since when, as rates and shares, and what changed', () => {
    const play = open();
    give(play, 'toggleIncident');
    expect(paneOf(play)).toEqual([
      ' INCIDENT since 14:08:20, 1 min                errors 0 → 36/min, 28 % of lines',
      '▸✗  30/min  POST /checkout 502                         was 0',
      ' ✗ 6.1/min  ERROR Payment gateway timed out            new, first 14:08:20',
      ' ✗    25 %  status 502                                 was 0 % of requests',
      '    mostly  path /checkout  83 %, else 33 %',
      '   CHANGED  14:08:00  UPDATE_CONFIG SUCCESS by user-9  20 s before',
      '            14:07:58  pod web-2 came                   22 s before',
      ` ${'─'.repeat(78)}`,
      ' joined from 14:00:00 · compared with 14:00–14:08',
    ]);
  });

  test('says that it is read, and does not take what was read for a pane that was closed', () => {
    const play = open();
    play.send({kind: 'commandGiven', command: 'toggleIncident'});
    expect(paneOf(play).map(row => row.trim())).toEqual(['reading the log, no verdict yet']);
    give(play, 'back');
    answerIncident(play);
    expect(play.state.log?.overlay).toBeUndefined();
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
    expect(paneOf(play)).toContain('   CHANGED  nothing that the lines, the branch or its pods report');
  });

  test('what changed since has its distance, too', () => {
    const play = open();
    const next = lines.slice(-2).map(([second, text]) => `${stamp(second)} ${text}`);
    play.windowArrives(
      answer({pods: [pod('web-3', '2026-11-21T14:08:50Z')], lines: next, sessionId: 's', cut: 'branch'}),
    );
    give(play, 'toggleIncident');
    expect(paneOf(play).join('\n')).toMatch(/pod web-3 came +1 min after/);
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
    expect(cursorRow(play)).toMatch(columns === 20 ? /▸/ : /pod web-2/);
    give(play, 'goLast', 'goFirst');
    expect(cursorRow(play)).toMatch(columns < 70 ? /^▸✗ {2}Errors {2}0 → 36/ : /^▸✗ {2}30\/min {2}POST/);
  });

  test('without errors, and with too little log, it says so', () => {
    const calm = open(
      {},
      lines.filter(([second]) => second < 500),
    );
    give(calm, 'toggleIncident');
    expect(paneOf(calm).map(row => row.trim())).toEqual([
      expect.stringMatching(/^CALM for 8 min +no errors$/),
      '▸  CHANGED  14:08:00  UPDATE_CONFIG SUCCESS by user-9  19 s ago',
      '14:07:58  pod web-2 came                   21 s ago',
      '─'.repeat(78),
      'joined from 14:00:00 · compared with 14:00–14:04',
    ]);
    const short = open(
      {},
      lines.filter(([second]) => second > 560),
    );
    give(short, 'toggleIncident');
    expect(paneOf(short).join('\n')).toMatch(
      /before 14:09:20, 39 s.*errors 24\/min, .*20\/min +POST \/checkout 502.*4\/min +ERROR Payment.*; nothing older read/s,
    );
    const empty = open({}, []);
    give(empty, 'toggleIncident');
    expect(stateRow(empty)).toBe('the log has no lines yet');
  });

  test('D shows what is other since the deployment, and the incident again, from the log at once', () => {
    const play = open();
    give(play, 'toggleIncident');
    give(play, 'sinceDeployment');
    answerIncident(play);
    const since = paneOf(play);
    expect(since).toEqual([
      ' OTHER THAN BEFORE since the deployment at 14:07:58, 2 min',
      '▸✗  25/min  POST /checkout 502                         new, first 14:08:20',
      ' ✗   5/min  ERROR Payment gateway timed out            new, first 14:08:20',
      ' ✗    20 %  status 502                                 was 0 % of requests',
      '    mostly  path /checkout  83 %, else 37 %',
      '   CHANGED  14:07:58  UPDATE_CONFIG SUCCESS by user-9  the deployment',
      ` ${'─'.repeat(78)}`,
      ' joined from 14:00:00 · compared with 14:00–14:07',
    ]);
    give(play, 'sinceDeployment');
    answerIncident(play);
    expect(paneOf(play)[0]).toMatch(/^ INCIDENT since 14:08:20/);
    give(play, 'back', 'sinceDeployment');
    answerIncident(play);
    expect(paneOf(play)).toEqual(since);
  });

  test('calm lists the errors that are there, as before, and each row leads to its newest line', () => {
    const kinds = ['ERROR mail queue full', 'ERROR no favicon'];
    const calm = open(
      {},
      [
        ...lines.filter(([second]) => second < 480),
        ...[60, 180, 300, 420].map(second => [second, kinds[second === 180 ? 1 : 0] ?? ''] as const),
      ].toSorted(([a], [b]) => a - b),
    );
    give(calm, 'toggleIncident');
    expect(paneOf(calm).slice(0, 3)).toEqual([
      ' CALM for 7 min   4 errors, as before: 3 × ERROR mail queue full, 1 × ERROR no…',
      '▸✗     3 ×  ERROR mail queue full',
      ' ✗     1 ×  ERROR no favicon',
    ]);
    give(calm, 'openLine');
    expect(cursorRow(calm)).toMatch(/^▸✗ 14:07:00\.000 ERROR mail queue full/);
    give(calm, 'back', 'moveDown', 'filterIn');
    answerSearches(calm);
    expect(paneOf(calm).filter(row => /^.✗/.test(row))).toEqual([expect.stringContaining('no favicon')]);
  });

  test('what is more than a day old shows its day', () => {
    const play = open();
    play.branchesArrive(branchOf('2026-11-19T14:00:00.000Z'));
    give(play, 'toggleIncident');
    expect(paneOf(play).join('\n')).toMatch(/11-19 14:00:00 +UPDATE_CONFIG SUCC.* +2 days before/);
  });

  test('a screen reader hears the row', () => {
    const play = open();
    give(play, 'toggleIncident', 'moveDown');
    const {log} = play.state;
    expect(log?.overlay && readOverlay(play.state, log, log.overlay)).toBe(
      '6.1/min, ERROR Payment gateway timed out, new, first 14:08:20',
    );
  });
});

describe('Enter goes there', () => {
  const goTo = (play: Play, downs: number): string => {
    give(play, 'toggleIncident', ...Array.from({length: downs}, () => 'moveDown' as const), 'openLine');
    return cursorRow(play);
  };

  test('to the first line of a kind, to a time, and to the first error where that has a row', () => {
    const play = open();
    expect(goTo(play, 0)).toMatch(/^▸[ ✗!] 14:08:20\.100 502 POST \/checkout/);
    expect(play.state.log?.overlay).toBeUndefined();
    expect(goTo(play, 1)).toMatch(/^▸[ ✗!] 14:08:20\.200 ERROR Payment gateway/);
    expect(goTo(play, 3)).toMatch(/^▸[ ✗!] 14:08:00\.000/);
    play.send({kind: 'resized', columns: 60, rows: 24});
    expect(goTo(play, 0)).toMatch(/^▸[ ✗!] 14:08:20\.\d00 /);
  });

  test('and f shows only lines like it, y copies all of it', () => {
    const play = open();
    give(play, 'toggleIncident', 'moveDown', 'copyLines');
    const [copied] = play.effects.flatMap(effect => (effect.kind === 'copy' ? [effect.text] : []));
    const rows = String(copied).split('\n');
    // The first line of a finding follows it.
    expect(rows.filter(row => !row.startsWith('      2026-'))).toEqual([
      'incident since 14:08:20, 1 min',
      'joined from 14:00:00 · compared with 14:00–14:08',
      '  Errors    0 → 36/min, 28 % of all lines',
      '  30/min    POST /checkout 502  (was 0)',
      '  6.1/min   ERROR Payment gateway timed out  (new, first 14:08:20)',
      '  25 %      status 502  (was 0 % of requests)',
      '  mostly path /checkout  83 %, else 33 %',
      'Changed:',
      '  14:08:00  UPDATE_CONFIG SUCCESS by user-9  (20 s before)',
      '  14:07:58  pod web-2 came  (22 s before)',
    ]);
    const kind = rows.findIndex(row => row.includes('ERROR Payment gateway timed out  ('));
    expect(rows[kind + 1]).toBe(`      ${stamp(500.2)} ERROR Payment gateway timed out`);
    give(play, 'filterIn');
    answerSearches(play);
    expect(play.state.log?.overlay).toBeUndefined();
    expect(paneOf(play).filter(row => /14:.*ERROR Payment gateway/.test(row)).length).toBe(10);
    expect(paneOf(play).filter(row => row.includes('/cart'))).toEqual([]);
  });

  test('unless a row is of no line', () => {
    const calm = open(
      {},
      lines.filter(([second]) => second < 500),
    );
    calm.send({kind: 'commandGiven', command: 'toggleIncident'});
    give(calm, 'openLine');
    expect(stateRow(calm)).toBe('no line to jump to');
    expect(calm.state.log?.overlay?.kind).toBe('incident');
    give(calm, 'toggleIncident', 'toggleIncident');
    expect(cursorRow(calm)).toContain('UPDATE_CONFIG');
    const pane = calm.state.log?.overlay;
    give(calm, 'filterIn');
    expect(stateRow(calm)).toBe('no filter shows only these lines');
    expect([calm.state.log?.overlay, calm.state.log?.use.filters]).toEqual([pane, []]);
  });

  test('unless filters hide the line', () => {
    const play = open();
    give(play, 'filterOut');
    play.send({kind: 'textTyped', text: 'checkout'});
    play.send({kind: 'inputKey', key: 'Enter'});
    answerSearches(play);
    give(play, 'toggleIncident', 'openLine');
    expect(stateRow(play)).toBe('the filters hide that line, or it has left the buffer');
    give(play, 'moveDown', 'openLine');
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
  const play = onBranches(branchesNamed('master', 'staging'));
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
  expect(paneOf(play).join('\n')).toMatch(/30\/min +staging: POST \/checkout 502 +was 0/);
});

test('the note has what the pane shows, and asks for its file from the pane', () => {
  const play = open();
  give(play, 'toggleIncident');
  const shown = play.state.log?.overlay;
  give(play, 'saveIncident');
  play.send({kind: 'inputKey', key: 'Enter'});
  const [request] = play.effects.flatMap(effect => (effect.kind === 'saveFile' ? [effect.request] : []));
  const {incident, facts, scope, all} = request ?? expect.fail('nothing is saved');
  expect(shown?.kind === 'incident' && shown.incident).toBe(incident);
  expect(play.state.log?.overlay).toBe(shown);
  const note = formatIncident({
    facts,
    tally: createTally().result(),
    chosen: scope.chosen,
    marks: [],
    all,
    watched: 'payments: 0 in 6 min, log whole',
    incident: incident !== undefined && 'findings' in incident ? incident : undefined,
    version: '1.2.3',
  });
  expect(note).toContain('incident since 2026-11-21T14:08:20.100000000Z, 1 min.');
  expect(note).toContain('\n\nWatched: payments: 0 in 6 min, log whole.\n\n');
  expect(note).toContain(`${stamp(500.1)} ${access(500.1, '/checkout', 502)[1]}\n`);
  expect(note).toContain('| 2026-11-21T14:08:20.100000000Z | master | 30/min POST /checkout 502 | was 0 |');
  expect(note).toContain('| 2026-11-21T14:08:00.000000000Z |  | UPDATE\\_CONFIG SUCCESS by user-9 | 20 s before |');
});

test('a note without the pane has it too', () => {
  const play = open();
  give(play, 'saveIncident');
  play.send({kind: 'inputKey', key: 'Enter'});
  const [request] = play.effects.flatMap(effect => (effect.kind === 'saveFile' ? [effect.request] : []));
  const sources = request?.incident;
  expect(Array.isArray(sources) && finishWork(findIncident(sources)).onset).toBe(parseInstant(stamp(500.1)));
});

test('the incident is copied as it stands, without leaving it', () => {
  const play = open();
  give(play, 'toggleIncident', 'copyLines');
  const [copied] = play.effects;
  expect(copied).toMatchObject({kind: 'copy', what: 'the incident'});
  expect(copied?.kind === 'copy' && copied.text).toContain('UPDATE_CONFIG');
  expect(play.state.log?.overlay?.kind).toBe('incident');
});
