import {expect, test} from 'vitest';
import {give, linesOf, openEmptyLog, openLogWith, paneRows, stateRow} from '../../../support/play.ts';

test('from the newest line the error before is gone to, and so on; then there is none', () => {
  const play = openLogWith(linesOf(1, 40, [4, 5, 38]));
  give(play, 'previousError');
  // It was in view already, so nothing moved.
  expect(paneRows(play)).toEqual([' 36', ' 37', '▸38', ' 39', ' 40']);
  give(play, 'previousError');
  expect(paneRows(play)).toEqual([' 4', '▸5', ' 6', ' 7', ' 8']);
  give(play, 'previousError');
  expect(paneRows(play)).toEqual(['▸4', ' 5', ' 6', ' 7', ' 8']);
  give(play, 'previousError');
  expect(paneRows(play)).toEqual(['▸4', ' 5', ' 6', ' 7', ' 8']);
  expect(stateRow(play)).toBe('no more errors above; e goes down');
});

test('the next error is looked for from the row on top, or from the cursor', () => {
  const play = openLogWith(linesOf(1, 40, [4, 5, 38]));
  give(play, 'goFirst', 'nextError');
  expect(paneRows(play)[4]).toBe('▸4');
  give(play, 'nextError', 'nextError');
  expect(paneRows(play)).toContain('▸38');
  give(play, 'nextError');
  expect(stateRow(play)).toBe('no more errors below; E goes up');
  expect(paneRows(play)).toContain('▸38');
});

test('the other way is named only where an error is', () => {
  const play = openLogWith(linesOf(1, 9, []));
  give(play, 'nextError');
  expect(stateRow(play)).toBe('no more errors below');
  give(play, 'goFirst', 'previousError');
  expect(stateRow(play)).toBe('no more errors above');
});

test('of several branches the nearest error is the next', () => {
  const play = openEmptyLog(['master', 'staging']);
  play.windowArrives(linesOf(1, 20, [3, 9]), 'b-master');
  play.windowArrives(linesOf(21, 40, [25, 39]), 'b-staging');
  give(play, 'goFirst');
  const found: string[] = [];
  for (let count = 0; count < 4; count++) {
    give(play, 'nextError');
    found.push(paneRows(play).find(row => row.startsWith('▸')) ?? '');
  }
  expect(found).toEqual(['▸3', '▸9', '▸25', '▸39']);
});

test('warnings are gone to together with errors', () => {
  const {value, ...rest} = linesOf(1, 40, [5, 38]);
  const lines = Array.from(value.lines, line => line.replace('line 20', 'WARN line 20'));
  const play = openLogWith({...rest, value: {...value, lines}});
  const at = (): string | undefined => paneRows(play).find(row => row.startsWith('▸'));
  const found = (['previousWarning', 'previousWarning', 'previousWarning', 'nextWarning'] as const).map(command => {
    give(play, command);
    return at();
  });
  expect(found).toEqual(['▸38', '▸20', '▸5', '▸20']);
  give(play, 'previousWarning', 'previousWarning');
  expect(stateRow(play)).toBe('no more warnings or errors above; :next warning goes down');
});
