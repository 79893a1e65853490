import {expect, test} from 'vitest';
import {paneOf} from '#app/log/log-pane.ts';
import type {ViewRow} from '#app/rows/view-row.ts';
import {visibleEntries} from '#log/view/viewport.ts';
import {answer, give, linesOf, openLogWith, type Play, paneOf as shownPane} from '../../support/play.ts';

const rowOf = ({state}: Play, index: number): ViewRow | undefined => {
  const pane = state.log && paneOf(state, state.log);
  const entry = state.log && pane && visibleEntries(state.log.viewport, pane.view, pane)[index];
  return entry && pane?.bodyOf(entry)[0];
};

test('a key that moves a row does not draw it anew', () => {
  const play = openLogWith(linesOf(1, 40));
  const row = rowOf(play, 0);
  expect(row?.map(({text}) => text).join('')).toContain('36');
  give(play, 'moveUp');
  expect(rowOf(play, 1)).toBe(row);
  give(play, 'toggleWrap');
  expect(rowOf(play, 1)).not.toBe(row);
  expect(rowOf(play, 1)).toEqual(row);
});

test.each([
  ['2026-11-21T14:00:01.000000072Z', '14:00:01'],
  // Placed right before the next line, since its own time is a later one.
  ['2026-11-21T14:00:01.999999994Z', '14:00:01'],
  ['2026-11-21T14:00:01.999000000Z', '14:00:01.999'],
  ['2026-11-21T14:00:01.001000000Z', '14:00:01.001'],
])('the time %s is shown as %s: nanoseconds that tell lines apart are no fraction of a second', (time, shown) => {
  const play = openLogWith(answer({...linesOf(1, 1).value, lines: ['2026-11-21T14:00:00.000000000Z a', `${time} b`]}));
  expect(shownPane(play).find(row => row.endsWith(' b'))).toBe(`   ${shown} b`);
});
