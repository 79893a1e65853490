import {describe, expect, test} from 'vitest';
import {commandChoices} from '#app/choices/palette.ts';
import {lastHelpTop, layOutHelp, selectHelp} from '#app/help/key-help.ts';
import {
  hintsOfLists,
  joinHints,
  selectHelpHints,
  selectHints,
  selectPrompt,
  selectPromptHints,
} from '#app/help/select-hints.ts';
import {screenFocus} from '#app/keys/input-focus.ts';
import {openPrompt} from '#app/keys/prompt.ts';
import {enter, give, linesOf, openLogWith, paneOf, rowsOf, sampleState, startAt, textOf} from '../../support/play.ts';

const helpOn = (columns: number, rows: number, screen: 'sites' | 'branches' | 'log' = 'sites') => {
  const play = startAt(sampleState({columns, rows, screen}));
  give(play, 'toggleHelp');
  const {focus} = play.state;
  return {play, focus: focus.kind === 'help' ? focus : expect.fail()};
};

const rowCount = 14;

describe('the help', () => {
  const {play: whole} = helpOn(80, 60);
  const all = paneOf(whole).filter((_, index, rows) => rows.slice(index).some(row => row !== ''));

  test('begins with the screen it is of; keys stand in a column, with what they do beside them', () => {
    expect(all.slice(0, 3)).toEqual([' Keys on the sites screen', ' Move', '   ↑, k             one row up']);
    expect(all.length).toBeGreaterThan(rowCount);
  });

  test('fits as long as the pane has a row for each, else the last row says how many are below', () => {
    const size = all.length;
    expect(lastHelpTop({columns: 80, rows: size + 4, screen: 'sites'}, helpOn(80, size + 4).focus)).toBe(0);
    expect(paneOf(helpOn(80, size + 4).play).at(-1)).toBe(all.at(-1));
    const {play, focus} = helpOn(80, size + 3);
    expect(lastHelpTop(play.state, focus)).toBe(2);
    expect(paneOf(play).at(-1)).toBe('   … 2 more below: ↓');
    give(play, 'moveDown');
    expect(paneOf(play)[0]).toBe(' Move');
    expect(paneOf(play).at(-1)).toBe('   … 1 more below: ↓');
    give(play, 'moveDown');
    expect(paneOf(play).at(-1)).toBe('   end of help; ↑ goes back up');
    expect(paneOf(play).at(-2)).toBe(all.at(-1));
    give(play, 'moveDown', 'moveDown', 'moveUp');
    expect(paneOf(play)[0]).toBe(' Move');
  });

  test('goes by pages that leave a row of the one before, to the end and back', () => {
    const {play} = helpOn(80, rowCount);
    give(play, 'pageDown');
    expect(paneOf(play)[0]).toBe(all[rowCount - 4 - 2]);
    give(play, 'pageUp');
    expect(paneOf(play)[0]).toBe(all[0]);
    give(play, 'goLast', 'moveUp', 'moveDown');
    expect(paneOf(play).at(-2)).toBe(all.at(-1));
    // A pane of two rows goes by single ones.
    const {play: tiny} = helpOn(80, 6);
    give(tiny, 'pageDown');
    expect(paneOf(tiny)[0]).toBe(' Move');
  });

  test('that was scrolled stays within it when the screen grows', () => {
    const {play} = helpOn(80, 8);
    give(play, 'goLast');
    play.send({kind: 'resized', columns: 80, rows: 12});
    expect(paneOf(play).at(-1)).toMatch(/end of help/);
    give(play, 'moveUp');
    expect(paneOf(play).at(-1)).toMatch(/1 more below/);
  });

  test('a key that moves nothing closes it where all of it is seen', () => {
    const {play} = helpOn(80, 60);
    give(play, 'moveDown');
    expect(play.state.focus).toEqual(screenFocus);
  });

  test('is searched with the key of a filter where there is one, and what was typed stays when it is opened again', () => {
    const {play} = helpOn(80, 60);
    give(play, 'openFilter');
    expect(paneOf(play)[0]).toBe(' Keys on the sites screen  /█');
    play.send({kind: 'textTyped', text: ' '});
    expect(paneOf(play).length).toBeGreaterThan(10);
    enter(play, 'context NEXT');
    expect(paneOf(play).filter(row => row !== '').length).toBe(3);
    give(play, 'openFilter');
    expect(paneOf(play)[0]).toBe(' Keys on the sites screen  / context NEXT█');
  });

  test.each([
    [55, 1],
    [111, 1],
    [112, 2],
    [156, 2],
    [168, 3],
  ])('that does not fit at %i columns stands in %i columns of at least 56', (columns, count) => {
    expect(layOutHelp({columns, rows: 8, screen: 'log'}, helpOn(columns, 8, 'log').focus)).toHaveLength(count);
  });

  test.each([
    [77, 1],
    [112, 1],
    [155, 1],
    [156, 2],
  ])('that fits at %i columns stands in %i of 78', (columns, count) => {
    expect(layOutHelp({columns, rows: 500, screen: 'log'}, helpOn(columns, 500, 'log').focus)).toHaveLength(count);
  });

  test('takes as few columns as show all of it, title and all', () => {
    const at = (rows: number): number =>
      layOutHelp({columns: 240, rows, screen: 'log'}, helpOn(240, rows).focus).length;
    const three = layOutHelp({columns: 240, rows: 500, screen: 'log'}, helpOn(240, 500).focus);
    const height = Math.max(...three.map(({length}) => length));
    expect([three.length, at(height + 5), at(height + 4)]).toEqual([3, 3, 4]);
    const lengths = three.map(({length}) => length);
    // Of all ways to put whole groups into three columns, in their order, the lowest.
    const groups = three.flatMap(column =>
      column.reduce<number[]>((sizes, item, index) => {
        if (item === 'blank' || index === 0) {
          sizes.push(item === 'blank' ? 0 : 1);
        } else {
          sizes.push((sizes.pop() ?? 0) + 1);
        }
        return sizes;
      }, []),
    );
    const total = (from: number, end: number): number =>
      groups.slice(from, end).reduce((sum, size) => sum + size, end - from - 1);
    let least = Number.POSITIVE_INFINITY;
    for (let one = 1; one < groups.length; one++) {
      for (let two = one + 1; two < groups.length; two++) {
        least = Math.min(least, Math.max(total(0, one), total(one, two), total(two, groups.length)));
      }
    }
    expect(Math.max(...lengths)).toBe(least);
  });

  test('the keys of a column have as much room as they need, so that no text is cut beside blanks', () => {
    const rows = paneOf(helpOn(160, 60, 'log').play);
    expect(rows.find(row => row.includes("'   "))?.slice(80)).toBe("   '          next mark");
  });

  test('each row is as wide as the screen', () => {
    for (const rows of [8, 60]) {
      const {play, focus} = helpOn(170, rows);
      expect(selectHelp(play.state, focus).map(row => textOf(row).length)).toEqual(
        selectHelp(play.state, focus).map(() => 170),
      );
    }
  });
});

describe('the palette', () => {
  test('offers filters kept by a name on the log only, with what they are', () => {
    const namedFilters = [{name: 'noise', filters: ['-/health', '-/ready'], isConfigured: false}];
    const offered = (screen: 'log' | 'branches') => commandChoices({screen, namedFilters}, 'use filters noise');
    expect(offered('log')[0]).toMatchObject({name: 'use filters noise', binding: {help: '-/health  -/ready'}});
    expect(offered('branches').map(({name}) => name)).not.toContain('use filters noise');
    expect(commandChoices({screen: 'log'}, 'zzz')).toEqual([]);
    expect(commandChoices({screen: 'log'}, '').map(({name}) => name)).not.toContain('open palette');
  });

  test('lists names, keys and what they do in columns, the chosen one lit, in view wherever it is', () => {
    const play = openLogWith(linesOf(1, 5));
    play.send({kind: 'resized', columns: 80, rows: 9});
    give(play, 'openPalette');
    const rows = rowsOf(play).map(textOf);
    expect(rows).toHaveLength(5);
    expect(rows[0]).toMatch(/^ ▸ \S.{22} {1,2}/);
    expect(rows[0]?.length).toBe(80);
    for (const _ of Array.from({length: 4})) {
      play.send({kind: 'inputKey', key: 'Down'});
    }
    const chosen = commandChoices(play.state, '')[4];
    const row = rowsOf(play)[2] ?? [];
    expect(textOf(row).slice(0, 27)).toBe(` ▸ ${chosen?.name.padEnd(24)}`);
    expect(textOf(row).slice(27, 45)).toBe(` ${chosen?.binding.keys.join(', ')}`.padEnd(18));
    expect(textOf(row).slice(45)).toBe(` ${chosen?.binding.help}`.padEnd(35).slice(0, 35));
    expect(rowsOf(play).map(each => each[0]?.isLit === true)).toEqual([false, false, true, false, false]);
    expect(row[1]?.tone).toBe('strong');
    expect(rowsOf(play)[1]?.[1]?.tone).toBe('plain');
  });
});

describe('an input line', () => {
  const shown = (text: string, columns: number): string => textOf(selectPrompt(openPrompt('search', text), columns));

  test('shows the end of a text that is too long, with the cursor behind it', () => {
    expect(shown('abcdef', 12)).toBe(' /abcdef█   ');
    expect(shown('abcdefg', 11)).toBe(' /abcdefg█ ');
    expect(shown('abcdefgh', 11)).toBe(' /…cdefgh█ ');
    expect(shown('abcdefghijkl', 11)).toBe(' /…ghijkl█ ');
  });

  test('says below it what was wrong, else what the keys do', () => {
    const hints = (kind: 'search' | 'palette', notice?: string): string =>
      textOf(selectPromptHints(openPrompt(kind), 60, notice)).trimEnd();
    expect(hints('search')).toBe(' Enter take   Esc leave   ↑↓ typed before');
    expect(hints('palette')).toBe(' Enter take   Esc leave   ↑↓ choose');
    expect(hints('search', 'no such time')).toBe(' no such time');
  });
});

describe('hints', () => {
  const text = (row: Parameters<typeof textOf>[0]): string => textOf(row).trimEnd();

  test('are dropped from the last one on, the help as the last of all; arrows stand together', () => {
    const at = (columns: number): string => text(joinHints('log', hintsOfLists, columns));
    expect(at(50)).toBe(' Esc back to the log   ↑↓ choose   ? help');
    expect(at(42)).toBe(' Esc back to the log   ↑↓ choose   ? help');
    expect(at(41)).toBe(' Esc back to the log   ? help');
    expect(at(29)).toBe(' ? help');
    expect(text(joinHints('log', [[['previousError', 'nextError'], 'error']], 40))).toBe(' E e error');
  });

  test('of a screen: those for what is there first, and those for wide screens go before all others', () => {
    const at = (columns: number, now = false): string =>
      text(selectHints('sites', columns, now ? [[['nextContext'], 'now']] : [], now ? [[['back'], 'also']] : []));
    expect(at(200)).toBe(' ↑↓ choose   Enter open   / filter or id   Tab context   : commands   ? help   q quit');
    expect(at(75)).toBe(' ↑↓ choose   Enter open   / filter or id   Tab context   ? help   q quit');
    expect(at(60)).toBe(' ↑↓ choose   Enter open   / filter or id   ? help   q quit');
    expect(at(50)).toBe(' ↑↓ choose   Enter open   / filter or id   ? help');
    expect(at(200, true)).toMatch(/^ Tab now {3}↑↓ choose .* \/ filter or id {3}Esc also {3}Tab context/);
    expect(at(72, true)).toBe(' Tab now   ↑↓ choose   Enter open   / filter or id   ? help   q quit');
    expect(at(47, true)).toBe(' Tab now   ↑↓ choose   Enter open   ? help');
    expect(at(38, true)).toBe(' Tab now   ↑↓ choose   ? help');
  });

  test('name no way back where there is none', () => {
    expect(text(selectHints('log', 200, [], [], 'none'))).not.toContain('Esc');
    expect(text(selectHints('log', 200))).toContain('Esc back   ? help   q quit');
  });

  test('of the help: how to scroll it if it does, and how to search it on each screen', () => {
    const hints = (screen: 'sites' | 'log', scrolls: boolean, isOpen?: boolean): string =>
      text(
        selectHelpHints(
          {screen, columns: 80},
          {...helpOn(80, 24).focus, ...(isOpen === undefined ? {} : {search: {text: 'x', isOpen}})},
          scrolls,
        ),
      );
    expect(hints('log', true)).toBe(' ? close   ↑↓ scroll   / search');
    expect(hints('log', false, false)).toBe(' ? close   / search');
    expect(hints('sites', false)).toBe(' ? close   / search');
    expect(hints('log', true, true)).toBe(' Enter take   Esc clear   ↑↓ choose');
  });
});
