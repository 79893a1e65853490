import {expect, test} from 'vitest';
import {createBranchesScreen} from '#app/lists/update-sites.ts';
import {selectBranchRecord} from '#app/record/select-branch-record.ts';
import {selectView} from '#app/select-view.ts';
import type {State} from '#app/state/state.ts';
import {
  decode,
  give,
  onBranches,
  type Play,
  paneOf,
  sampleBranches,
  sampleState,
  serviceStartMs,
  showScreen,
  startAt,
  windowOf,
} from '../../support/play.ts';

const selectPane = (state: State) => {
  const view = selectView(state);
  return 'tooSmall' in view || view.pane.kind !== 'rows' ? [] : view.pane.rows;
};

const openLog = (change: Partial<State>, branchName = 'master'): Play => {
  const play = startAt(sampleState(change));
  give(play, 'open');
  const [first] = sampleBranches.filter(branch => branch.name === 'master');
  play.branchesArrive(first === undefined ? [] : [{...first, name: branchName}]);
  give(play, 'open');
  return play;
};

test('on 40 columns the name is cut and the state of the connection stays', () => {
  const play = openLog({columns: 40, rows: 10}, 'feature/a-rather-long-name');
  play.windowArrives(windowOf(1, 2));
  expect(showScreen(play.state)[0]).toBe(' shop › feature/a-rather-long-n…   live');
  play.windowFails();
  expect(showScreen(play.state)[0]).toBe(' shop › featu…   failing since 14:02:10');
});

test('what is wrong goes before when the next try is', () => {
  const play = openLog({columns: 60});
  play.windowFails();
  expect(showScreen(play.state).at(-2)).toBe(' ! api.example.com:443 refused   next try at 14:02:10');
});

test('the sentences of an empty pane are broken at blanks, not cut', () => {
  const play = openLog({columns: 30, rows: 12});
  play.windowArrives(windowOf());
  const pane = ['', '   The log has no lines yet.', '   New lines appear here.', '   The branch is: deployed.'];
  expect(showScreen(play.state).slice(2, -2)).toEqual(pane);
  // The last word of a row may fill it to the edge.
  play.send({kind: 'resized', columns: 38, rows: 12});
  const widths = selectPane(play.state).map(row => row.reduce((sum, {text}) => sum + text.length, 0));
  expect(Math.max(...widths)).toBe(38);
});

test('a site without branches says which key leads back', () => {
  const play = onBranches([]);
  expect(showScreen(play.state).slice(2, -2)).toEqual([
    '',
    '   This site has no branches.',
    '   Press Esc to go back to the sites.',
  ]);
});

test('help that does not fit says how much is missing, and scrolls', () => {
  const play = startAt(sampleState({columns: 40, rows: 10}));
  give(play, 'toggleHelp');
  expect(showScreen(play.state).slice(2, -2)).toEqual([
    ' Keys on the sites screen',
    ' Move',
    '   ↑, k             one row up',
    '   ↓, j             one row down',
    '   PgUp, Ctrl+B, b  one page up',
    '   … 21 more below: ↓',
  ]);
  for (let press = 0; press < 30; press++) {
    give(play, 'moveDown');
  }
  const end = showScreen(play.state).slice(2, -2);
  expect(end.at(-1)).toBe('   end of help; ↑ goes back up');
  expect(end.join(' ')).toContain('quit');
  give(play, 'goFirst');
  expect(showScreen(play.state)[2]).toBe(' Keys on the sites screen');
  give(play, 'toggleHelp');
  expect(showScreen(play.state).join(' ')).not.toContain('Keys on');
});

test('markers are counted neither as lines a minute nor as lines below', () => {
  const play = openLog({rows: 9});
  play.windowArrives(windowOf(1, 2, 3, 4, 5, 6));
  // Past all that was held: a gap.
  play.windowArrives(windowOf(31, 32, 33, 34));
  expect(showScreen(play.state)[0]).toContain('10 lines/min');
  // The rule of the horizon stands above the first line.
  give(play, 'goFirst');
  expect(showScreen(play.state).slice(2, -2)).toHaveLength(5);
  expect(showScreen(play.state).at(-2)).toContain('6 newer below');
});

test('a context that is called by its host is named once, with the port', () => {
  const header = (name: string, host: string): string | undefined =>
    showScreen(sampleState({context: {name, host}}))[0];
  expect(header('127.0.0.1', '127.0.0.1:8787')).toBe(' branchlog   127.0.0.1:8787');
  expect(header('api.example.com', 'api.example.com')).toBe(' branchlog   api.example.com');
  expect(header('production', 'api.example.com')).toBe(' branchlog   production   api.example.com');
});

test('every value of the record stands off its label', () => {
  const [master] = sampleBranches.filter(branch => branch.name === 'master');
  const env = [{name: 'ROOT', value: '/srv'}];
  const deploymentConfig = {application: {storage: '10Gi'}, images: {nginx: {env}, php: {env}}};
  const rows =
    master === undefined
      ? []
      : selectBranchRecord(
          createBranchesScreen('site-1', undefined),
          {...master, record: {...master.record, deploymentConfig}},
          serviceStartMs,
          60,
          40,
        ).map(row =>
          row
            .map(({text}) => text)
            .join('')
            .trimEnd(),
        );
  expect(rows).toContain('  web server env   ROOT=/srv');
  expect(rows).toContain('  app server env   ROOT=/srv');
  expect(rows).toContain('  storage          10Gi');
});

test('on 40 columns a value that does not fit is wrapped, and a time is never broken', () => {
  const play = onBranches(undefined, {columns: 40, rows: 20});
  give(play, 'enterDetails', 'moveDown');
  expect(showScreen(play.state).slice(6, 14)).toEqual([
    '   site             site-1',
    '   created',
    '     5 days ago,',
    '     2026-11-16T14:02:10.000Z',
    '   changed',
    '     2 h ago, 2026-11-21T12:02:10.000Z',
    ' Status',
    '   status           deployed',
  ]);
});

test('of a long value that is not highlighted the beginning is shown, of the highlighted one all', () => {
  const note = Array.from({length: 40}, (_, index) => `word-${index}`).join(' ');
  const play = onBranches(decode({...sampleBranches[1]?.record, note}), {columns: 80, rows: 30});
  give(play, 'enterDetails');
  const rowsWithNote = (): number => paneOf(play).filter(row => row.includes('word-')).length;
  expect(rowsWithNote()).toBe(4);
  give(play, 'goLast');
  expect(rowsWithNote()).toBe(6);
});
