import {expect, test} from 'vitest';
import {promptOf} from '#app/keys/input-focus.ts';
import {marksMax} from '#app/log/mark-rows.ts';
import {
  enter,
  give,
  linesOf,
  openEmptyLog,
  openLogWith,
  type Play,
  paneRows,
  showScreen,
  stateRow,
  type,
} from '../../support/play.ts';

/** Marks the line of a number, which the cursor is put on first. */
const mark = (play: Play, number: number, note: string): void => {
  type(play, 'goToTime', `14:00:${String(number).padStart(2, '0')}`);
  type(play, 'markLine', note);
};

const notesOf = (play: Play): readonly string[] => play.state.log?.marks.map(({note}) => note) ?? [];

test('a line is marked with a note, which stands below it in a row of its own', () => {
  const play = openLogWith(linesOf(1, 40));
  give(play, 'pickLines', 'moveUp', 'markLine');
  enter(play, '  the first timeout ');
  expect(paneRows(play)).toEqual([' 36', ' 37', ' 38', '▸39', '● the first timeout']);
  give(play, 'moveDown');
  expect(paneRows(play)).toEqual([' 37', ' 38', '●39', '● the first timeout', '▸40']);
});

test('a mark without a note has its glyph only', () => {
  const play = openLogWith(linesOf(1, 40));
  type(play, 'markLine', '');
  expect(stateRow(play)).toBe('marked; \' and " go to the next and the previous mark');
  give(play, 'goLast');
  expect(paneRows(play)).toEqual([' 36', ' 37', ' 38', ' 39', '●40']);
});

test('the note of a marked line is offered for changing; an empty one removes the mark', () => {
  const play = openLogWith(linesOf(1, 40));
  mark(play, 20, 'here');
  give(play, 'markLine');
  expect(promptOf(play.state)?.text).toBe('here');
  enter(play, ' and there');
  expect(notesOf(play)).toEqual(['here and there']);
  give(play, 'markLine');
  play.send({kind: 'inputKey', key: 'ClearLine'});
  play.send({kind: 'inputKey', key: 'Enter'});
  expect(notesOf(play)).toEqual([]);
  expect(stateRow(play)).toBe('mark removed');
});

test('Esc leaves everything as it was', () => {
  const play = openLogWith(linesOf(1, 40));
  give(play, 'markLine');
  play.send({kind: 'textTyped', text: 'no'});
  play.send({kind: 'inputKey', key: 'Esc'});
  expect(notesOf(play)).toEqual([]);
});

test('a note is made safe before it is drawn', () => {
  const play = openLogWith(linesOf(1, 40));
  mark(play, 20, '\u001b[2Jred\u202e');
  expect(paneRows(play).find(row => row.startsWith('● '))).toBe('● ␛red�');
});

test('\' and " go to the next and the previous mark, by their place in the log', () => {
  const play = openLogWith(linesOf(1, 40));
  give(play, 'nextMark');
  expect(stateRow(play)).toBe('there are no marks: M sets one');
  mark(play, 30, '');
  mark(play, 10, '');
  mark(play, 20, '');
  const found: string[] = [];
  for (const command of ['previousMark', 'nextMark', 'nextMark'] as const) {
    give(play, command);
    found.push(paneRows(play).find(row => row.startsWith('▸')) ?? '');
  }
  expect(found).toEqual(['▸10', '▸20', '▸30']);
  give(play, 'nextMark');
  expect(stateRow(play)).toBe('no more marks below');
});

test('times count from the mark set last', () => {
  const play = openLogWith(linesOf(1, 40));
  give(play, 'nextTimeMode', 'nextTimeMode', 'nextTimeMode', 'nextTimeMode', 'nextTimeMode');
  expect(stateRow(play)).toContain('there is none: M sets one');
  mark(play, 10, '');
  mark(play, 20, '');
  type(play, 'goToTime', '14:00:21');
  const times = showScreen(play.state).flatMap(
    row => /^. +(\S+) line (19|20|21)$/.exec(row)?.slice(1, 3).join(' ') ?? [],
  );
  expect(times).toEqual(['-1.000 19', '+0.000 20', '+1.000 21']);
});

test('marks leave the buffer with their lines, which is told once', () => {
  const play = openLogWith(linesOf(1, 40), 3000);
  mark(play, 2, 'first');
  mark(play, 40, 'last');
  play.windowArrives(linesOf(1, 70));
  expect(notesOf(play)).toEqual(['last']);
  expect(stateRow(play)).toBe('1 mark left the buffer with its line');
  give(play, 'goLast');
  play.windowArrives(linesOf(1, 71));
  expect(stateRow(play)).toMatch(/^following/);
});

test('there are only so many marks', () => {
  const play = openLogWith(linesOf(1, marksMax + 5));
  give(play, 'pickLines');
  for (let count = 0; count < marksMax; count++) {
    type(play, 'markLine', '');
    give(play, 'moveUp');
  }
  expect(notesOf(play)).toHaveLength(marksMax);
  give(play, 'markLine');
  expect(showScreen(play.state).at(-1)).toContain('there are 100 marks, the maximum: M on one of them removes it');
  enter(play, 'quite');
  expect(stateRow(play)).toContain('there are 100 marks, the maximum');
  expect(notesOf(play)).toHaveLength(marksMax);
});

test('a marker is marked like a line', () => {
  const play = openLogWith(linesOf(1, 40));
  play.windowArrives(linesOf(50, 60));
  give(play, 'previousMarker', 'markLine');
  enter(play, 'lost here');
  mark(play, 5, 'before');
  give(play, 'nextMark');
  expect(paneRows(play).find(row => row.startsWith('▸'))).toMatch(/^▸── possible gap/);
  expect(paneRows(play)).toContain('● lost here');
  give(play, 'markLine');
  expect(promptOf(play.state)?.text).toBe('lost here');
});

test('what is typed after a mark that can not be set is text, not commands', () => {
  const play = openEmptyLog();
  give(play, 'markLine');
  expect(showScreen(play.state).at(-1)).toContain('there is nothing in view to mark');
  enter(play, 'quit');
  expect(stateRow(play)).toBe('there is nothing in view to mark, so no mark was set');
  expect(play.effects).toEqual([]);
});

test('in a pane over the lines M goes back to the log, to mark the line that was open', () => {
  const play = openLogWith(linesOf(1, 40));
  give(play, 'pickLines', 'moveUp', 'openLine', 'markLine');
  enter(play, 'quit');
  expect(play.state.log?.overlay).toBeUndefined();
  expect(paneRows(play)).toEqual([' 36', ' 37', ' 38', '▸39', '● quit']);
});
