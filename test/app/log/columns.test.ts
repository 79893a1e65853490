import {expect, test} from 'vitest';
import {toMemory} from '#app/log/memory.ts';
import {readOverlay} from '#app/log/read-log.ts';
import {
  answer,
  give,
  logOf,
  openBranch,
  type Play,
  sampleState,
  showScreen,
  type,
  windowOf,
} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

const texts: readonly string[] = [
  '{"level":"info","msg":"order placed","req":{"id":"a1"},"ms":12}',
  '{"level":"error","msg":"order failed","req":{"id":"b22"}}',
  'no fields here',
  'level=info msg="well again" ms=7',
];

const openLog = (lines = texts, state = {}): Play => {
  const play = openBranch({rows: 14, columns: 80, ...state});
  arrive(play, lines);
  return play;
};

const arrive = (play: Play, lines: readonly string[]): void =>
  play.windowArrives(
    answer({
      ...windowOf().value,
      lines: lines.map((text, index) => `2026-11-21T14:00:01.${index}00000000Z ${text}`),
    }),
  );

const paneOf = (play: Play): readonly string[] =>
  showScreen(play.state)
    .slice(2, -2)
    .filter(row => row !== '' && !row.includes('──'));

const asUsual = [
  '   14:00:01.000 order placed  req.id=a1 ms=12',
  ' ✗ 14:00:01.100 order failed  req.id=b22',
  '   14:00:01.200 no fields here',
  '   14:00:01.300 well again  ms=7',
];

/** Marks `req.id`, then `msg`, then `ms`. */
const chooseThree = (play: Play): void => {
  give(play, 'chooseColumns', 'goLast', 'togglePause', 'goFirst', 'moveDown', 'togglePause', 'moveDown', 'togglePause');
};

const search = (play: Play, text: string): void => {
  type(play, 'openSearch', text);
  answerSearches(play);
};

test('marked fields become columns in the order in which they were marked, and x shows all again', () => {
  const play = openLog();
  expect(paneOf(play)).toEqual(asUsual);
  chooseThree(play);
  expect(showScreen(play.state).slice(2, 7)).toEqual([
    ' 4 fields of the newest 4 lines   3 columns',
    '   ○    level    75 % of lines',
    '   ● 2  msg      75 % of lines',
    ' ▸ ● 3  ms       50 % of lines',
    '   ● 1  req.id   50 % of lines',
  ]);
  const {overlay} = logOf(play);
  expect(overlay && readOverlay(play.state, logOf(play), overlay)).toBe('ms, 50 % of lines, column 3');
  give(play, 'back');
  // The message is last, wherever it was marked.
  expect(paneOf(play)).toEqual([
    '                id   ms  msg',
    '   14:00:01.000 a1   12  order placed',
    ' ✗ 14:00:01.100 b22  -   order failed',
    '   14:00:01.200 no fields here',
    '   14:00:01.300 -    7   well again',
  ]);
  expect(showScreen(play.state).join('\n')).toContain('3 columns');
  give(play, 'chooseColumns', 'goLast', 'togglePause', 'back');
  expect(paneOf(play).at(-1)).toBe('   14:00:01.300 7   well again');
  give(play, 'chooseColumns', 'removeFilter', 'back');
  expect(paneOf(play)).toEqual(asUsual);
});

test('columns are for lines that are laid out: choosing one lays them out', () => {
  const play = openLog();
  chooseThree(play);
  give(play, 'back', 'nextRowForm');
  expect(paneOf(play)[0]).toBe(`   14:00:01.000 ${texts[0] ?? ''}`);
  expect(showScreen(play.state).join('\n')).not.toContain('3 columns');
  give(play, 'chooseColumns', 'goFirst', 'togglePause', 'back');
  expect(paneOf(play).slice(0, 2)).toEqual([
    '                id   ms  level  msg',
    '   14:00:01.000 a1   12  info   order placed',
  ]);
});

test('a hit in a field that is no column shows its line as without columns', () => {
  const play = openLog();
  chooseThree(play);
  give(play, 'back');
  search(play, 'error');
  expect(paneOf(play)[2]).toMatch(/^▸✗ 14:00:01\.100 \{"level":"error"/);
  expect(paneOf(play)[1]).toBe('   14:00:01.000 a1   12  order placed');
});

test('a hit in a field that the layout shows leaves its line laid out', () => {
  const play = openLog();
  give(play, 'chooseColumns', 'togglePause', 'back');
  search(play, 'b22');
  expect(paneOf(play)[1]).toBe('   14:00:01.000 info');
  expect(paneOf(play)[2]).toBe('▸✗ 14:00:01.100 order failed  req.id=b22');
});

test('headings scroll sideways with their columns, a click below them picks its line, and a filter keeps them', () => {
  const wide = openLog([`{"id":"${'x'.repeat(40)}","msg":"order placed"}`]);
  give(wide, 'chooseColumns', 'togglePause', 'moveDown', 'togglePause', 'back', 'moveRight');
  expect(paneOf(wide)).toEqual(['              msg', '   14:00:01   order placed']);

  const play = openLog(texts, {isMouseOn: true});
  chooseThree(play);
  give(play, 'back');
  const rowIndex = showScreen(play.state).findIndex(row => row.includes('order failed'));
  play.send({kind: 'mouseUsed', action: {kind: 'press', rowIndex, columnIndex: 5}});
  expect(showScreen(play.state)).toContain('▸✗ 14:00:01.100 b22  -   order failed');
  type(play, 'filterIn', 'order');
  answerSearches(play);
  expect(showScreen(play.state)[2]).toBe('                id   ms  msg');
  expect(showScreen(play.state).at(-3)).toMatch(/^ filter {3}\+ order {3}2 of 4/);
});

test('on a screen of few rows every one of them is for a line', () => {
  const play = openLog(texts, {rows: 7});
  chooseThree(play);
  give(play, 'back');
  expect(showScreen(play.state).slice(2, -2)).not.toContain('                id   ms  msg');
});

test('a heading wants room, is the last part of a name if that is no other, and long ones are cut in the middle', () => {
  const line = '{"context":{"duration_ms":7,"id":1},"user":{"id":22},"a_name_without_end":1,"msg":"x"}';
  const columns = ['context.duration_ms', 'context.id', 'user.id', 'a_name_without_end', 'msg'];
  const {logSettings} = sampleState();
  const play = openLog([line], {columns: 80, logSettings: {...logSettings, columns}});
  expect(paneOf(play)).toEqual([
    '            duration_ms  context.id  user.id  a_name…t_end  msg',
    '   14:00:01 7            1           22       1             x',
  ]);
});

test('a log without fields says so, and has no list of them', () => {
  const play = openLog(['one', 'two']);
  give(play, 'chooseColumns');
  expect(play.state.notice).toBe('no fields in the newest 2 lines: neither JSON nor logfmt');
  expect(logOf(play).overlay).toBeUndefined();
});

test('there are no more columns than a terminal shows, and names are safe to draw', () => {
  const names = Array.from({length: 22}, (_, index) => `"f${String(index).padStart(2, '0')}":1`);
  const play = openLog([`{${names.join(',')},"\\u001b[2Jclear":2}`]);
  give(play, 'chooseColumns');
  for (const _ of names) {
    give(play, 'togglePause', 'moveDown');
  }
  expect(logOf(play).look.columns).toHaveLength(20);
  give(play, 'togglePause');
  expect(play.state.notice).toBe('no more than 20 columns fit: unmark one first');
  expect(showScreen(play.state).join('')).not.toContain('\u001B');
});

test('columns are remembered by name and measured when there are lines; those of the settings are not remembered', () => {
  const play = openLog(texts, {remembersLogs: true});
  play.send({kind: 'logRecalled', generation: play.state.generation, memory: undefined});
  chooseThree(play);
  const [memory] = play.effects.flatMap(effect => (effect.kind === 'rememberLog' ? [effect.memory] : []));
  expect(memory?.columns).toEqual(['req.id', 'msg', 'ms']);
  // What is as before is not written again.
  give(play, 'moveUp');
  expect(play.effects.filter(({kind}) => kind === 'rememberLog')).toEqual([]);
  const later = openLog([], {remembersLogs: true});
  later.send({kind: 'logRecalled', generation: later.state.generation, memory});
  arrive(later, texts);
  expect(paneOf(later)[1]).toBe('   14:00:01.000 a1   12  order placed');

  const {logSettings} = sampleState();
  const configured = openLog(texts, {logSettings: {...logSettings, columns: ['ms', 'req.id', 'gone']}});
  expect(paneOf(configured)[2]).toBe(' ✗ 14:00:01.100 -   b22  -');
  expect(toMemory(configured.state, logOf(configured)).columns).toBeUndefined();
  give(configured, 'chooseColumns', 'removeFilter', 'back');
  expect(paneOf(configured)).toEqual(asUsual);
  expect(toMemory(configured.state, logOf(configured)).columns).toEqual([]);
});
