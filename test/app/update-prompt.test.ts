import {describe, expect, test} from 'vitest';
import {promptOf} from '#app/keys/input-focus.ts';
import {enter, give, linesOf, onBranches, openLogWith, type Play} from '../support/play.ts';

const log = (): Play => openLogWith(linesOf(1, 5));
const press = (play: Play, ...keys: readonly ('Backspace' | 'ClearLine' | 'Up' | 'Down' | 'Esc' | 'Enter')[]): void => {
  for (const key of keys) {
    play.send({kind: 'inputKey', key});
  }
};
const type = (play: Play, text: string): void => play.send({kind: 'textTyped', text});

describe('an input line', () => {
  test('goes with Esc, and with Backspace once it is empty', () => {
    const play = log();
    give(play, 'filterIn');
    type(play, 'a');
    press(play, 'Backspace');
    expect(promptOf(play.state)?.text).toBe('');
    press(play, 'ClearLine');
    expect(promptOf(play.state)?.text).toBe('');
    press(play, 'Backspace');
    expect(promptOf(play.state)).toBeUndefined();
    give(play, 'filterIn');
    type(play, 'a');
    press(play, 'Esc');
    expect([promptOf(play.state), play.state.log?.use.filters, play.state.columns]).toEqual([undefined, [], 80]);
  });

  test('recalls what was typed before, older with Up', () => {
    const play = log();
    for (const text of ['one', 'two']) {
      give(play, 'filterIn');
      enter(play, text);
    }
    give(play, 'filterIn');
    const texts = (['Up', 'Up', 'Down'] as const).map(key => {
      press(play, key);
      return promptOf(play.state)?.text;
    });
    expect(texts).toEqual(['two', 'one', 'two']);
  });

  test('that is empty searches as before, removes the highlights, and adds no filter', () => {
    const play = log();
    give(play, 'openSearch');
    enter(play, 'line');
    give(play, 'back', 'openSearch');
    press(play, 'Enter');
    expect(play.state.log?.use.search.kind).not.toBe('none');
    give(play, 'back', 'highlight');
    enter(play, 'line 2');
    expect(play.state.log?.use.highlights).toHaveLength(1);
    give(play, 'highlight');
    press(play, 'Enter');
    expect(play.state.log?.use.highlights).toHaveLength(0);
    give(play, 'filterIn');
    press(play, 'Enter');
    expect(play.state.log?.use.filters).toHaveLength(0);
    const never = log();
    give(never, 'openSearch');
    press(never, 'Enter');
    expect(never.state.log?.use.search.kind).toBe('none');
  });

  test('says what is no pattern, and keeps the log', () => {
    const play = log();
    give(play, 'filterIn');
    enter(play, 're:(');
    expect([play.state.log?.use.filters, play.state.notice, play.state.columns]).toEqual([[], expect.any(String), 80]);
  });
});

describe('the palette', () => {
  const choice = (play: Play): number | undefined => promptOf(play.state)?.choice;

  test('chooses among what it offers, and no further', () => {
    const play = onBranches();
    give(play, 'openPalette');
    type(play, 'help');
    press(play, 'Up');
    expect(choice(play)).toBe(0);
    press(play, 'Down');
    expect(choice(play)).toBe(1);
    press(play, ...Array.from({length: 100}, () => 'Down' as const));
    const last = choice(play) ?? 0;
    press(play, 'Up');
    expect(choice(play)).toBe(last - 1);
  });

  test('runs what was chosen, and says if there is no such command', () => {
    const play = log();
    give(play, 'openPalette');
    enter(play, 'toggle pods');
    expect(play.state.log?.overlay?.kind).toBe('pods');
    give(play, 'back', 'openPalette');
    enter(play, 'zzzzqqqq');
    expect([play.state.notice, play.state.columns]).toEqual(['no command like “zzzzqqqq”', 80]);
  });

  test('takes filters of a name into use', () => {
    const play = log();
    const named = [{name: 'mine', filters: ['+line 2'], isConfigured: false}];
    give(play, 'filterIn');
    enter(play, 'line 3');
    give(play, 'saveFilters');
    enter(play, 'mine');
    expect(play.state.namedFilters).toMatchObject([{name: named[0]?.name}]);
    give(play, 'removeFilters', 'openPalette');
    enter(play, 'use filters mine');
    expect(play.state.log?.use.filters).toHaveLength(1);
    expect(play.state.notice).toBe('filters mine in use');
  });
});

test.each([
  ['openSearch', true],
  ['filterIn', true],
  ['filterOut', true],
  ['highlight', true],
  ['goToTime', false],
] as const)('while the prompt of %s is open, what searches gets ready: %s', (command, isReady) => {
  const play = log();
  give(play, command);
  expect(promptOf(play.state)).toBeDefined();
  expect(play.effects).toEqual(isReady ? [{kind: 'prepareSearch'}] : []);
});
