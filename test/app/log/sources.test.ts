import {describe, expect, test} from 'vitest';
import {selectView} from '#app/select-view.ts';
import {parseInstant} from '#log/line/instant.ts';
import {branchesNamed, onBranches, sampleBranches, showScreen, type} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';
import {
  arriveSourced,
  give,
  nginx,
  openSourced,
  otherPhp,
  paneOf,
  php,
  type SourcedLine,
  stamp,
} from './sourced-log.ts';

const three: readonly SourcedLine[] = [
  [nginx, 'GET /a'],
  [php, 'ERROR x'],
  [otherPhp, 'ready'],
];

describe('tags', () => {
  test('say who wrote each line, between time and text', () => {
    expect(paneOf(openSourced(three))).toEqual([
      ' ── the service held nothing older than 14:00:00 ──────────────────────────────',
      '   14:00:00 abc/ng GET /a',
      ' ✗ 14:00:01 abc/ph ERROR x',
      '   14:00:02 fgh/ph ready',
    ]);
  });

  test('a log of one source has none, and neither has one of a service that says nothing', () => {
    expect(paneOf(openSourced([[nginx, 'GET /a']])).at(-1)).toBe('   14:00:00 GET /a');
    expect(
      paneOf(
        openSourced([
          [{}, 'GET /a'],
          [{}, 'GET /b'],
        ]),
      ).at(-1),
    ).toBe('   14:00:01 GET /b');
  });

  test('take no room until a second source appears, and keep their width while the same ones write', () => {
    const play = openSourced([[nginx, 'GET /a']]);
    arriveSourced(play, [[php, 'b']], {first: 1});
    expect(paneOf(play).slice(-2)).toEqual(['   14:00:00 nginx GET /a', '   14:00:01 php   b']);
    arriveSourced(play, [[php, 'c']], {first: 2});
    expect(paneOf(play).at(-1)).toBe('   14:00:02 php   c');
  });

  test('each has a tone of its own, which stays when sources appear', () => {
    const toneOf = (play: ReturnType<typeof openSourced>, tag: string) => {
      const view = selectView(play.state);
      const rows = 'tooSmall' in view || view.pane.kind !== 'rows' ? [] : view.pane.rows;
      return rows.flat().find(({text}) => text.trim() === tag)?.tone;
    };
    const play = openSourced(three);
    expect(['abc/ng', 'abc/ph', 'fgh/ph'].map(tag => toneOf(play, tag))).toEqual(['branch1', 'branch2', 'branch3']);
    arriveSourced(play, [[{pod: 'shop-web-7d9c4-klmno', container: 'php'}, 'new']], {first: 3});
    expect(toneOf(play, 'abc/ph')).toBe('branch2');
    expect(toneOf(play, 'klm/ph')).toBe('branch4');
  });

  test('on a narrow terminal they are as short as tells them apart, and the text keeps its room', () => {
    expect(paneOf(openSourced(three, {columns: 40})).at(-1)).toBe('   14:00:02 fgh/ph ready');
  });

  test('further rows of a wrapped line begin below its text', () => {
    const play = openSourced([...three, [php, 'x'.repeat(90)]], {columns: 60});
    give(play, 'toggleWrap');
    expect(
      paneOf(play)
        .slice(-3)
        .map(row => row.search(/x+$/)),
    ).toEqual([19, 19, 19]);
  });

  test('come with a hint for the key of their list, where there is room', () => {
    const hintsOf = (lines: readonly SourcedLine[]) => showScreen(openSourced(lines, {columns: 160}).state).at(-1);
    expect(hintsOf(three)).toContain('p sources');
    expect(hintsOf([[nginx, 'GET /a']])).not.toContain('sources');
  });

  test('a line is copied as it was received', () => {
    const play = openSourced(three);
    give(play, 'pickLines', 'copyLines');
    expect(play.effects).toMatchObject([{kind: 'copy', text: `${stamp(2)} ready`}]);
  });
});

describe('the list of sources', () => {
  const openList = () => {
    const play = openSourced(three);
    give(play, 'toggleSources');
    return play;
  };

  test('counts the lines of each', () => {
    expect(paneOf(openList())).toEqual([
      ' 3 sources',
      ' ▸ ● abcde nginx  shop-web-7d9c4-abcde  nginx  stdout  1 line',
      '   ● abcde php    shop-web-7d9c4-abcde  php    stderr  1 line',
      '   ● fghij php    shop-web-7d9c4-fghij  php    stderr  1 line',
    ]);
  });

  test('hides a source, and the row of filters says so', () => {
    const play = openList();
    give(play, 'moveDown', 'togglePause');
    expect(paneOf(play).slice(0, 3)).toEqual([
      ' 3 sources   1 hidden',
      '   ● abcde nginx  shop-web-7d9c4-abcde  nginx  stdout  1 line',
      ' ▸ ○ abcde php    shop-web-7d9c4-abcde  php    stderr  1 line  hidden',
    ]);
    give(play, 'back');
    expect(paneOf(play).slice(1)).toEqual([
      '   14:00:00 abc/ng GET /a',
      '   14:00:02 fgh/ph ready',
      ' filter   without abcde php   2 of 3                                  x removes',
    ]);
    give(play, 'removeFilter');
    expect(paneOf(play)).toHaveLength(4);
  });

  test('shows one alone, and all again', () => {
    const play = openList();
    give(play, 'filterIn');
    expect(paneOf(play)[0]).toBe(' 3 sources   2 hidden');
    // A source that appears later is not the one.
    arriveSourced(play, [[{pod: 'shop-web-7d9c4-klmno', container: 'php'}, 'new']], {first: 3});
    expect(paneOf(play)[0]).toBe(' 4 sources   3 hidden');
    give(play, 'moveDown', 'togglePause');
    expect(paneOf(play)[0]).toBe(' 4 sources   2 hidden');
    give(play, 'back');
    expect(paneOf(play).at(-1)).toContain('only 2 of 4 sources   2 of 4');
    give(play, 'toggleSources', 'removeFilter', 'back');
    expect(paneOf(play).at(-1)).toContain('klm/ph new');
  });

  test('says so if no line is left', () => {
    const play = openList();
    give(play, 'filterIn', 'togglePause', 'back');
    expect(paneOf(play).slice(1, 3)).toEqual([
      '   The choice of sources hides all 3 lines.',
      '   Press X to show all lines.',
    ]);
    give(play, 'removeFilters');
    expect(paneOf(play)).toHaveLength(4);
  });

  test('is not opened if the service says nothing', () => {
    const play = openSourced([[{}, 'GET /a']]);
    give(play, 'toggleSources');
    expect(play.state.log?.overlay).toBeUndefined();
    expect(play.state.notice).toBe('this log does not report its sources');
  });

  test('the choice is kept when the log is left and opened again', () => {
    const play = openList();
    give(play, 'moveDown', 'filterIn', 'back', 'back', 'open');
    expect(paneOf(play).at(-1)).toContain('only abcde php   1 of 3');
  });
});

test('a reader who is on a line stays on it while sources are hidden and shown', () => {
  const many = Array.from({length: 40}, (_, index): SourcedLine => [index % 2 === 0 ? nginx : php, `line ${index}`]);
  const play = openSourced(many);
  type(play, 'openSearch', 'line 20');
  answerSearches(play);
  const rowOf = () => paneOf(play).findIndex(row => row.startsWith('▸'));
  expect(paneOf(play)[rowOf()]).toContain('line 20');
  give(play, 'toggleSources', 'filterIn', 'back');
  expect(paneOf(play)[rowOf()]).toContain('line 20');
  give(play, 'removeFilters');
  expect(paneOf(play)[rowOf()]).toContain('line 20');
});

describe('an opened line', () => {
  const opened = () => {
    const play = openSourced(three, {rows: 24});
    give(play, 'pickLines', 'openLine');
    return play;
  };

  test('shows pod, container and stream, also if they need no tag', () => {
    const alone = openSourced([[php, 'alone']], {rows: 24});
    give(alone, 'pickLines', 'openLine');
    for (const play of [opened(), alone]) {
      expect(paneOf(play).join('\n')).toMatch(
        /Fields\n {3}pod {8}shop-web-7d9c4-\w+\n {3}container {2}php\n {3}stream {5}stderr/,
      );
    }
  });

  test('filters by any of them', () => {
    const play = opened();
    give(play, 'nextSection', 'nextSection', 'filterIn');
    expect(paneOf(play).slice(1)).toEqual([
      ' ✗ 14:00:01 abc/ph ERROR x',
      '▸  14:00:02 fgh/ph ready',
      ' filter   only 2 of 3 sources   2 of 3                                x removes',
    ]);
    const other = opened();
    give(other, 'nextSection', 'filterOut');
    expect(paneOf(other).at(-1)).toContain('without fghij php');
  });

  test('a filter that would hide nothing is none', () => {
    const play = openSourced([[php, 'alone']], {rows: 24});
    give(play, 'pickLines', 'openLine', 'nextSection', 'filterIn');
    expect(play.state.notice).toBe('all lines are from this pod');
    expect(play.state.log?.sourcePick).toBeUndefined();
  });
});

describe('a gap of a source', () => {
  const losses = [
    {
      source: 1,
      number: 4,
      lines: 12,
      after: parseInstant(stamp(1)) ?? 0n,
      before: parseInstant(stamp(3)) ?? 0n,
      why: 'the file was emptied \u001b[2Jbefore it was read',
    },
  ];
  const play = openSourced([...three, [php, 'after']], {losses});

  test('names it after the range, with the number of lines', () => {
    expect(paneOf(play).find(row => row.includes('gap'))).toMatch(
      /^ ── possible gap in abcde php, 14:00:01\.000 to 14:00:03\.000: 12 lines missing ─+$/,
    );
  });

  test('opened, it says why in the words of the service, made safe', () => {
    give(play, 'previousGap', 'openLine');
    expect(showScreen(play.state).at(-2)).toMatch(/^ the file was emptied ␛before it was read: 12 lines missing/);
    expect(play.state.notice).toContain(': 12 lines missing in shop-web-7d9c4-abcde php stderr');
    expect(showScreen(play.state).join('')).not.toContain('\u001b');
  });

  test('is counted in the list of sources', () => {
    give(play, 'toggleSources');
    expect(paneOf(play)[2]).toBe('   ● abcde php    shop-web-7d9c4-abcde  php    stderr  2 lines  1 gap');
  });
});

test('a log of several branches tags its lines too, and a choice holds for all of them', () => {
  const play = onBranches(sampleBranches, {columns: 80, rows: 12});
  give(play, 'toggleMark', 'moveDown', 'toggleMark', 'open');
  const ids = (play.state.log?.sources ?? []).map(({branch}) => branch._id);
  for (const branchId of ids) {
    arriveSourced(
      play,
      [
        [nginx, `GET /${branchId}`],
        [{...php}, 'ERROR x'],
      ],
      {branchId},
    );
  }
  const rows = paneOf(play).filter(row => row.includes('GET') || row.includes('ERROR'));
  expect(rows.map(row => row.slice(12))).toEqual([
    `ma/nginx GET /${ids[0]}`,
    `st/nginx GET /${ids[1]}`,
    'ma/php   ERROR x',
    'st/php   ERROR x',
  ]);
  give(play, 'toggleSources', 'togglePause', 'back');
  expect(paneOf(play).filter(row => row.includes('GET'))).toEqual([]);
  expect(paneOf(play).at(-1)).toContain('without nginx   2 of 4');
});

test('at 80 columns a line of several branches says its branch and pod in one word of eight cells', () => {
  const play = onBranches(branchesNamed('master', 'hotfix/cart'), {columns: 80, rows: 12});
  give(play, 'toggleMark', 'moveDown', 'toggleMark', 'open');
  const web = (pod: string) => ({pod, container: 'php'});
  arriveSourced(
    play,
    [
      [web('master-web-7f9c5d8b6-lt8nm'), 'one'],
      [web('master-web-7f9c5d8b6-x2x4k'), 'two'],
    ],
    {branchId: 'b-master'},
  );
  arriveSourced(play, [[web('cart-web-5c4d9f7b8-t1z9q'), 'three']], {branchId: 'b-hotfix'});
  const rows = paneOf(play).filter(row => /one|two|three/.test(row));
  expect(rows.map(row => row.slice(12).trimEnd()).toSorted()).toEqual([
    'ca/t1z9q three',
    'ma/lt8nm one',
    'ma/x2x4k two',
  ]);
});
