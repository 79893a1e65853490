import {expect, test} from 'vitest';
import {promptOf} from '#app/keys/input-focus.ts';
import type {MouseAction} from '#app/keys/keymap.ts';
import {rowWidth} from '#app/rows/fit-row.ts';
import {selectView} from '#app/select-view.ts';
import type {State} from '#app/state/state.ts';
import {type Play, sampleState, showScreen, startAt, windowOf} from '../support/play.ts';

const use = (play: Play, kind: MouseAction['kind'], rowIndex = 5, columnIndex = 4): void =>
  play.send({kind: 'mouseUsed', action: {kind, rowIndex, columnIndex}});

const give = (
  play: Play,
  command: 'toggleMouse' | 'toggleHelp' | 'open' | 'moveDown' | 'toggleWrap' | 'nextTimeMode',
): void => play.send({kind: 'commandGiven', command});

const openBranches = (change: Partial<State> = {}): Play => {
  const play = startAt(sampleState({isMouseOn: true, ...change}));
  play.send({kind: 'started'});
  give(play, 'open');
  play.branchesArrive();
  return play;
};

const openLog = (change: Partial<State> = {}): Play => {
  const play = openBranches(change);
  use(play, 'press', rowOf(play, 'master'));
  if (play.state.screen !== 'log') {
    play.wait(1000);
    use(play, 'press', rowOf(play, 'master'));
  }
  play.windowArrives(windowOf(...Array.from({length: 60}, (_, index) => index)));
  return play;
};

const rowOf = (play: Play, text: string): number => showScreen(play.state).findIndex(row => row.includes(text));
const highlighted = (play: Play): string =>
  showScreen(play.state)
    .find(row => row.startsWith(' ▸'))
    ?.replace(/^ ▸\W*/, '')
    .split(' ')[0] ?? '';

test('one key switches it on and off, and says what becomes of the selection', () => {
  const play = startAt(sampleState());
  give(play, 'toggleMouse');
  expect(play.state.notice).toBe("mouse on: hold Shift for the terminal's own selection");
  expect(play.effects).toEqual([{kind: 'setMouse', isOn: true}]);
  give(play, 'toggleMouse');
  expect(play.state.notice).toBe('mouse off');
  expect(play.effects).toEqual([{kind: 'setMouse', isOn: false}]);
});

test('where it is on from the start the terminal is told so first', () => {
  const play = startAt(sampleState({isMouseOn: true}));
  play.send({kind: 'started'});
  expect(play.effects).toEqual([{kind: 'setMouse', isOn: true}]);
});

test('a report that was on its way when it was switched off means nothing', () => {
  const play = startAt(sampleState({isMouseOn: false}));
  const before = play.state;
  use(play, 'wheelDown');
  use(play, 'press', 3);
  expect(play.state).toBe(before);
});

test('in a list a press highlights its item, and a press on the highlighted one opens it', () => {
  const play = openBranches();
  use(play, 'press', rowOf(play, 'staging'));
  expect(highlighted(play)).toBe('staging');
  play.wait(1000);
  use(play, 'press', rowOf(play, 'master'));
  expect(highlighted(play)).toBe('master');
  use(play, 'press', rowOf(play, 'master'));
  expect([play.state.screen, play.state.log?.sources[0].branch.name]).toEqual(['log', 'master']);
});

test('above the list, below it and in the record beside it a press means nothing', () => {
  const play = openBranches({columns: 140});
  const before = showScreen(play.state);
  for (const [row, column] of [
    [0, 4],
    [1, 4],
    [12, 4],
    [22, 4],
    [23, 4],
    [5, 130],
  ] as const) {
    use(play, 'press', row, column);
    play.wait(1000);
  }
  expect(showScreen(play.state)).toEqual(before);
});

test('two presses in half a second open the item of the first, though the list moved under the pointer', () => {
  const sites = Array.from({length: 40}, (_, index) => ({
    id: `id-${index}`,
    name: `site-${index}`,
    openedAtMs: undefined,
  }));
  const play = startAt(sampleState({isMouseOn: true, sites}));
  play.send({kind: 'started'});
  const row = rowOf(play, 'site-18 ');
  use(play, 'press', row);
  expect(highlighted(play)).toBe('site-18');
  expect(rowOf(play, 'site-18 ')).not.toBe(row);
  use(play, 'press', row);
  expect(play.state.branches?.siteId).toBe('id-18');
});

test('after that time, or in another row, it is another press', () => {
  const sites = Array.from({length: 40}, (_, index) => ({
    id: `id-${index}`,
    name: `site-${index}`,
    openedAtMs: undefined,
  }));
  const play = startAt(sampleState({isMouseOn: true, sites}));
  const row = rowOf(play, 'site-18 ');
  use(play, 'press', row);
  play.wait(501);
  use(play, 'press', row);
  expect([play.state.screen, highlighted(play)]).toEqual(['sites', showsAt(row, 'site-18', sites.length)]);
});

/** What stood in a row once the list had moved so that a site is in its middle: 20 rows of them. */
const showsAt = (row: number, middle: string, count: number): string => {
  const from = Math.max(0, Math.min(Number(middle.slice('site-'.length)) - 10, count - 20));
  return `site-${from + row - 2}`;
};

test('the wheel moves by three: in lists, on the log, in the help', () => {
  const play = openBranches();
  const names = showScreen(play.state).slice(2, 7);
  use(play, 'wheelDown');
  expect(names[3]).toContain(highlighted(play));
  use(play, 'wheelUp');
  expect(names[0]).toContain(highlighted(play));
  const log = openLog();
  expect(showScreen(log.state)[2]).toContain('line 40');
  use(log, 'wheelUp');
  expect(showScreen(log.state)[2]).toContain('line 37');
  give(log, 'toggleHelp');
  use(log, 'wheelDown');
  expect(log.state.focus).toEqual({kind: 'help', top: 3});
});

test('on the log a press picks the line, whichever of its rows was met, and a second one opens it', () => {
  const play = openLog({columns: 30});
  give(play, 'nextTimeMode');
  give(play, 'toggleWrap');
  const rows = showScreen(play.state);
  const row = rows.findIndex((each, index) => index > 4 && !/\d\d:\d\d:\d\d/.test(each));
  expect(row).toBeGreaterThan(4);
  use(play, 'press', row);
  const picked = showScreen(play.state);
  expect(picked[row - 1]?.startsWith('▸')).toBe(true);
  expect(play.state.log?.viewport.kind).toBe('paused');
  use(play, 'press', row - 1);
  expect(play.state.log?.overlay).toMatchObject({kind: 'line'});
  const opened = play.state;
  use(play, 'press', 4);
  expect(play.state.log?.overlay).toBe(opened.log?.overlay);
});

test('while something is typed, or the help is open, a press means nothing', () => {
  const play = openLog();
  play.send({kind: 'commandGiven', command: 'openSearch'});
  use(play, 'press', 5);
  expect(promptOf(play.state)).toBeDefined();
  expect(play.state.log?.cursor).toBeUndefined();
  play.send({kind: 'inputKey', key: 'Esc'});
  give(play, 'toggleHelp');
  use(play, 'press', 5);
  expect([play.state.focus.kind, play.state.log?.cursor]).toEqual(['help', undefined]);
});

test('in the palette the wheel chooses among the commands', () => {
  const play = openLog();
  play.send({kind: 'commandGiven', command: 'openPalette'});
  use(play, 'wheelDown');
  expect(promptOf(play.state)?.choice).toBe(3);
  use(play, 'wheelUp');
  expect(promptOf(play.state)?.choice).toBe(0);
});

test('a second press is one within half a second, no later', () => {
  const isOpenedAfter = (ms: number): boolean => {
    const sites = Array.from({length: 40}, (_, index) => ({
      id: `id-${index}`,
      name: `s${index}`,
      openedAtMs: undefined,
    }));
    const play = startAt(sampleState({isMouseOn: true, sites}));
    use(play, 'press', 18);
    play.wait(ms);
    use(play, 'press', 18);
    return play.state.screen === 'branches';
  };
  expect([isOpenedAfter(500), isOpenedAfter(501)]).toEqual([true, false]);
});

test('upwards as well, a press highlights the item of its row', () => {
  const play = openBranches();
  const names = showScreen(play.state)
    .slice(2, 7)
    .map(row => row.slice(3).replace(/^\W*/, '').split(' ')[0]);
  for (const index of [4, 1, 3, 0]) {
    use(play, 'press', 2 + index);
    expect(highlighted(play)).toBe(names[index]);
    play.wait(1000);
  }
  expect(play.state.screen).toBe('branches');
});

test('the first column of the record is no more of the list, and the last of the list still is', () => {
  const view = selectView(openBranches({columns: 140}).state);
  const items = 'tooSmall' in view || view.pane.kind !== 'pick' ? [] : view.pane.pick.items;
  // Two columns are for the highlight.
  const listColumns = 2 + Math.max(...items.map(({row}) => rowWidth(row)));
  const pressed = (column: number): string => {
    const play = openBranches({columns: 140});
    use(play, 'press', 4, column);
    return highlighted(play);
  };
  const first = highlighted(openBranches({columns: 140}));
  expect(pressed(listColumns)).toBe(first);
  expect(pressed(listColumns - 1)).not.toBe(first);
});

test('a press on the list leaves the record, and the filter when it opens', () => {
  const play = openBranches({columns: 140});
  play.send({kind: 'commandGiven', command: 'enterDetails'});
  expect(play.state.branches?.details).toBeDefined();
  use(play, 'press', 4);
  expect([play.state.branches?.details, play.state.columns]).toEqual([undefined, 140]);
  const before = play.state.branches?.picker.selectedId;
  expect(before).not.toBeUndefined();
  play.send({kind: 'commandGiven', command: 'openFilter'});
  play.wait(1000);
  use(play, 'press', rowOf(play, highlighted(play)));
  expect([play.state.screen, play.state.focus.kind]).toEqual(['log', 'screen']);
});

test('where the terminal is too small a press means nothing', () => {
  const play = openBranches({columns: 10, rows: 3});
  const before = play.state;
  use(play, 'press', 3);
  expect(play.state).toEqual({...before, nowMs: play.state.nowMs});
});
