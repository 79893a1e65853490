import {describe, expect, test} from 'vitest';
import {markedBranchesMax} from '#app/choices/branch-choices.ts';
import type {Command} from '#app/keys/keymap.ts';
import {give, type Play, paneOf, sampleBranches, sampleState, showScreen, startAt} from '../../support/play.ts';

const onBranches = (change = {}): Play => {
  const play = startAt(sampleState(change));
  give(play, 'open');
  play.branchesArrive();
  return play;
};

const headerOf = (play: Play): string => showScreen(play.state)[0] ?? '';
const stateRowOf = (play: Play): string => showScreen(play.state).at(-2) ?? '';
const seconds = (first: number, last: number, step = 1): readonly number[] =>
  Array.from({length: Math.floor((last - first) / step) + 1}, (_, index) => first + index * step);
describe('marking', () => {
  test('Space marks and unmarks; a sign stands in front of the row, and the header says how many', () => {
    const play = onBranches();
    give(play, 'toggleMark', 'moveDown', 'moveDown', 'toggleMark');
    expect(paneOf(play).map(row => row.slice(0, 8))).toEqual([
      '  *● mas',
      '   ✗ sta',
      ' ▸*◐ hot',
      '   ? exp',
      '   ○ fea',
    ]);
    expect(headerOf(play)).toContain('2 marked');
    give(play, 'toggleMark');
    expect(headerOf(play)).toContain('1 marked');
    give(play, 'goFirst', 'toggleMark');
    expect(headerOf(play)).not.toContain('marked');
  });

  test('a branch that is not built out is not marked, and it is said why', () => {
    const play = onBranches();
    give(play, 'goLast', 'toggleMark');
    expect(headerOf(play)).not.toContain('marked');
    expect(stateRowOf(play)).toBe(' feature/new-theme is not built out, so it has no log');
  });

  test('no more than eight', () => {
    const play = startAt(sampleState());
    give(play, 'open');
    const [, master] = sampleBranches;
    play.branchesArrive(
      master === undefined ? [] : seconds(1, 9).map(number => ({...master, _id: `b-${number}`, name: `n-${number}`})),
    );
    give(play, ...seconds(1, 9).flatMap((): readonly Command[] => ['toggleMark', 'moveDown']));
    expect(markedBranchesMax).toBe(8);
    expect(headerOf(play)).toContain('8 marked');
    // The last movement has no further row to go to, so the ninth is told where it was.
    give(play, 'toggleMark');
    expect(stateRowOf(play)).toBe(' 8 branches are marked, the maximum: unmark one with Space first');
  });

  test('Enter opens the marked rows from one of them, and says how many; from another row that row', () => {
    const play = onBranches();
    const hints = (): string => showScreen(play.state).at(-1) ?? '';
    const opened = (): readonly string[] | undefined => play.state.log?.sources.map(({branch}) => branch.name);
    give(play, 'toggleMark');
    expect(hints()).toContain('Enter log');
    give(play, 'moveDown', 'toggleMark');
    expect(hints()).toMatch(/^ Enter opens the 2 marked {3}↑↓ choose {3}Space mark/);
    give(play, 'moveDown');
    expect(hints()).toContain('Enter log');
    give(play, 'open');
    expect(opened()).toEqual(['hotfix/cart']);
    give(play, 'back', 'moveUp', 'open');
    expect(opened()).toEqual(['master', 'staging']);
  });

  test('Esc clears the filter, then the marks, and only then goes back', () => {
    const play = onBranches();
    give(play, 'toggleMark', 'openFilter');
    play.send({kind: 'textTyped', text: 'stag'});
    give(play, 'back');
    expect(headerOf(play)).toContain('1 marked');
    expect(paneOf(play)).toHaveLength(5);
    give(play, 'back');
    expect(headerOf(play)).not.toContain('marked');
    expect(play.state.screen).toBe('branches');
    give(play, 'back');
    expect(play.state.screen).toBe('sites');
  });

  test('one that goes, or is taken down, is marked no longer', () => {
    const play = onBranches();
    give(play, 'toggleMark', 'moveDown', 'toggleMark', 'moveDown', 'toggleMark');
    play.branchesArrive(
      sampleBranches
        .filter(({name}) => name !== 'master')
        .map(branch => (branch.name === 'staging' ? {...branch, status: null} : branch)),
    );
    expect(headerOf(play)).toContain('1 marked');
    give(play, 'open');
    expect(play.state.log?.sources.map(({branch}) => branch.name)).toEqual(['hotfix/cart']);
  });
});
