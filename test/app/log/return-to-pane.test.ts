import {expect, test} from 'vitest';
import {enter, give, linesOf, openLogWith, type Play, showScreen} from '../../support/play.ts';
import {answerIncident} from '../play-incident.ts';
import {answerSearches} from '../play-search.ts';

const overlayOf = (play: Play) => play.state.log?.overlay;
const hints = (play: Play): string => showScreen(play.state).at(-1) ?? '';

/** A calm minute, and errors in the next. */
const openErrors = (): Play => {
  const play = openLogWith(linesOf(1, 120, [61, 63, 65, 67, 69, 71, 73, 75, 77, 79, 81, 83, 85, 87, 89]));
  play.send({kind: 'resized', columns: 80, rows: 24});
  return play;
};

test('Esc after Enter on a finding leads back to the incident, with the same row, found anew', () => {
  const play = openErrors();
  give(play, 'toggleIncident');
  answerIncident(play);
  give(play, 'moveDown');
  const selected = showScreen(play.state).find(row => row.startsWith('▸') || row.startsWith(' ▸'));
  give(play, 'openLine');
  expect([overlayOf(play), hints(play)]).toEqual([undefined, expect.stringContaining('Esc to the incident')]);
  give(play, 'openLine', 'back', 'back');
  expect(overlayOf(play)?.kind).toBe('incident');
  expect(showScreen(play.state)).toContain(selected);
  answerIncident(play);
  expect(showScreen(play.state)).toContain(selected);
  give(play, 'back');
  expect([overlayOf(play), play.state.screen]).toEqual([undefined, 'log']);
  give(play, 'back');
  expect(play.state.screen).toBe('branches');
});

test('who follows the log again, or opens another pane, is not led back', () => {
  for (const command of ['goLast', 'toggleSummary'] as const) {
    const play = openErrors();
    give(play, 'toggleIncident');
    answerIncident(play);
    give(play, 'openLine', command, 'back');
    expect(overlayOf(play)).toBeUndefined();
    give(play, ...(command === 'toggleSummary' ? ['back' as const] : []));
    expect(play.state.screen).toBe('branches');
  }
});

test('Esc first ends a search that was begun there', () => {
  const play = openErrors();
  give(play, 'toggleIncident');
  answerIncident(play);
  give(play, 'openLine', 'openSearch');
  enter(play, 'line');
  answerSearches(play);
  give(play, 'back');
  expect(overlayOf(play)).toBeUndefined();
  give(play, 'back');
  expect(overlayOf(play)?.kind).toBe('incident');
});
