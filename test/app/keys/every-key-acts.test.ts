import {isDeepStrictEqual} from 'node:util';
import {expect, test} from 'vitest';
import {bindingsOn, type Command, type ScreenName} from '#app/keys/keymap.ts';
import type {State} from '#app/state/state.ts';
import {onBranches, type Play, sampleBranches, sampleState, startAt, windowOf} from '../../support/play.ts';

const give = (play: Play, ...commands: readonly Command[]): State => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
  }
  return play.state;
};

const branchesOpen = (change: Partial<State> = {}): Play => {
  const play = onBranches(sampleBranches, change);
  return play;
};

/** A log that was scrolled up, so that there is something in each direction. */
const logOpen = (): Play => {
  const play = branchesOpen();
  give(play, 'open');
  play.windowArrives(windowOf(...Array.from({length: 60}, (_, second) => second)));
  give(play, 'toggleWrap', 'pageUp', 'toggleWrap');
  return play;
};

const contexts = ['production', 'staging'].map(name => ({label: {name, host: 'api.example.com'}, sites: []}));

/** States in which, taken together, every key of a screen does something. */
const states: Readonly<Record<ScreenName, readonly State[]>> = {
  sites: [
    sampleState({contexts}),
    give(startAt(sampleState()), 'moveDown'),
    sampleState({sitePicker: {selectedId: undefined, filter: 'sh'}}),
  ],
  branches: [
    branchesOpen().state,
    give(branchesOpen(), 'moveDown'),
    give(branchesOpen({columns: 120}), 'enterDetails'),
  ],
  log: [
    ...[[], ['pickLines'], ['pickLines', 'openLine'], ['toggleSummary'], ['moveRight'], ['moreContext']].map(keys =>
      give(logOpen(), ...(keys as readonly Command[])),
    ),
  ],
};

/** What a command does, if anything: a key that nobody knows only takes the notice away. */
const hasEffect = (state: State, command: Command): boolean => {
  const [pressed, ignored] = [command, 'nobody knows this' as Command].map(each => {
    const play = startAt(state);
    give(play, each);
    return {state: play.state, effects: play.effects};
  });
  return !isDeepStrictEqual(pressed, ignored);
};

test.each(Object.keys(states) as ScreenName[])('every key of the table has a handler on the screen: %s', screen => {
  const idle = bindingsOn(screen).filter(({command}) => !states[screen].some(state => hasEffect(state, command)));
  expect(idle.map(({command}) => command)).toEqual([]);
});
