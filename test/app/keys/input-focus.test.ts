import {expect, test} from 'vitest';
import {focusOf} from '#app/state/step.ts';
import {give, openBranch, type Play, sampleBranches, sampleState, startAt, windowOf} from '../../support/play.ts';

const focus = ({state}: Play): string => focusOf(state).kind;

test('help takes the place of a filter that is typed, and leaves what was typed', () => {
  const play = startAt(sampleState());
  give(play, 'openFilter');
  play.send({kind: 'textTyped', text: 'blog'});
  expect(focus(play)).toBe('filter');
  give(play, 'toggleHelp');
  expect(focus(play)).toBe('help');
  give(play, 'toggleHelp');
  expect([focus(play), play.state.sitePicker.filter]).toEqual(['pane', 'blog']);
});

test('a prompt over a filter gives the keys back to it', () => {
  const play = startAt(sampleState());
  give(play, 'openFilter');
  play.send({kind: 'textTyped', text: 'bl'});
  give(play, 'openPalette');
  play.send({kind: 'textTyped', text: 'zz'});
  expect(focus(play)).toBe('prompt');
  play.send({kind: 'inputKey', key: 'Esc'});
  play.send({kind: 'textTyped', text: 'og'});
  expect([focus(play), play.state.sitePicker.filter]).toEqual(['filter', 'blog']);
});

test('a prompt takes the place of help, and help leaves an open prompt with what was typed', () => {
  const play = startAt(sampleState());
  give(play, 'toggleHelp', 'openPalette');
  play.send({kind: 'textTyped', text: 'quit'});
  give(play, 'toggleHelp');
  expect(focusOf(play.state)).toMatchObject({kind: 'prompt', prompt: {text: 'quit'}, over: 'screen'});
  play.send({kind: 'inputKey', key: 'Esc'});
  expect(focus(play)).toBe('pane');
});

test('a pane over the lines stays open behind help, and gets the keys back', () => {
  const play = openBranch({}, sampleBranches);
  play.windowArrives(windowOf(1, 2, 3));
  give(play, 'toggleInspector');
  expect(focus(play)).toBe('overlay');
  give(play, 'toggleHelp');
  expect(focus(play)).toBe('help');
  give(play, 'toggleHelp');
  expect(focus(play)).toBe('overlay');
  give(play, 'back');
  expect(focus(play)).toBe('pane');
});
