import {expect, test} from 'vitest';
import {paneOf} from '#app/log/log-pane.ts';
import type {ViewRow} from '#app/rows/view-row.ts';
import {visibleEntries} from '#log/view/viewport.ts';
import {give, linesOf, openLogWith, type Play} from '../../support/play.ts';

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
