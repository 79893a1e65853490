import {expect, test} from 'vitest';
import type {Command} from '#app/keys/keymap.ts';
import {formatEntry} from '#app/log/pane/entry-rows.ts';
import {plainLook, timeModes} from '#app/parts/log-parts.ts';
import {selectView} from '#app/select-view.ts';
import type {LineEntry} from '#log/line/entry.ts';
import {parseInstant} from '#log/line/instant.ts';
import {answer, branchesNamed, give, onBranches, type Play, showScreen, type, windowOf} from '../../../support/play.ts';
import {answerSearches} from '../../play-search.ts';

const access = (status: number): string =>
  `10.2.0.7 - - [21/Nov/2026:14:00:01 +0000] "GET /shop/cart HTTP/1.1" ${status} 157 "-" "curl"`;

const texts: readonly string[] = [
  access(200),
  access(404),
  access(502),
  'Error: deep',
  '#0 /srv/app/cart.php(12): total()',
  '[2026-11-21T14:00:01+00:00] app.CRITICAL: Payment timed out {"order":26788} []',
  'calm',
];

const openLog = (lines: readonly string[] = texts, columns = 80, names: readonly string[] = ['master']): Play => {
  const play = onBranches(branchesNamed(...names), {rows: 14, columns});
  for (const _ of names.length > 1 ? names : []) {
    give(play, 'toggleMark', 'moveDown');
  }
  give(play, 'open');
  play.windowArrives(
    answer({
      ...windowOf().value,
      lines: lines.map((text, index) => `2026-11-21T14:00:01.${index}00000000Z ${text}`),
    }),
  );
  return play;
};

/** The lines in the pane. */
const paneOf = (play: Play): readonly string[] =>
  showScreen(play.state)
    .slice(2, -2)
    .filter(row => row !== '' && !row.includes('──'));

const edges = ['  ', '! ', '✗ ', '✗ ', '  ', '✗ ', '  '];

test('a line of level warn or worse says so at its left edge, and a frame of a trace does not', () => {
  expect(paneOf(openLog())).toEqual([
    '   14:00:01.000 200 GET  /shop/cart                                        157 B',
    ' ! 14:00:01.100 404 GET  /shop/cart                                        157 B',
    ' ✗ 14:00:01.200 502 GET  /shop/cart                                        157 B',
    ' ✗ 14:00:01.300 Error: deep',
    '   14:00:01.400 #0 /srv/app/cart.php(12): total()',
    ' ✗ 14:00:01.500 Payment timed out  order=26788  app  CRITICAL',
    '   14:00:01.600 calm',
  ]);
});

test('what ends a traceback, or stands below its error, is no error of its own', () => {
  const play = openLog([
    'ERROR payment failed',
    'com.shop.GatewayException: timed out',
    'Traceback (most recent call last):',
    '  File "/app/main.py", line 10, in <module>',
    "KeyError: 'user'",
  ]);
  expect(paneOf(play).map(row => row.slice(1, 3))).toEqual(['✗ ', '  ', '✗ ', '  ', '  ']);
});

test('in every form of the time, and without it, the edge stays', () => {
  const play = openLog();
  for (const mode of timeModes) {
    expect(play.state.log?.look.time).toBe(mode);
    expect(paneOf(play).map(row => row.slice(1, 3))).toEqual(edges);
    give(play, 'nextTimeMode');
  }
});

test.each<readonly [string, readonly Command[]]>([
  ['as received', ['nextRowForm']],
  ['escaped', ['nextRowForm', 'nextRowForm']],
  ['scrolled to the right', ['moveRight', 'moveRight']],
  ['with the cursor', ['pickLines']],
])('%s, the edge stays', (_name, commands) => {
  const play = openLog();
  give(play, ...commands);
  expect(paneOf(play).map(row => row.slice(1, 3))).toEqual(edges);
});

test('at 40 columns, of several branches, wrapped, each line has its edge once and all of its text', () => {
  const play = openLog([access(502), 'calm'], 40, ['master', 'staging']);
  expect(paneOf(play)[0]).toBe(' ✗ 14:00:01.000 maste 502 GET  /shop/ca…');
  give(play, 'toggleWrap');
  const all = paneOf(play);
  // The words of the horizon are wrapped too.
  const rows = all.slice(all.findIndex(row => row.startsWith(' ✗')));
  expect(rows.map(row => row.slice(0, 3)).join('')).toBe(' ✗             ');
  expect(rows[0]).toBe(' ✗ 14:00:01.000 maste 502 GET  /shop/car');
  const text = rows
    .slice(0, -1)
    .map(row => row.slice(22).padEnd(18))
    .join('');
  expect(text.split(/ +/).filter(word => word !== '')).toEqual([
    '502',
    'GET',
    '/shop/cart',
    '157',
    'B',
    '10.2.0.7',
    'curl',
    'HTTP/1.1',
  ]);
});

test('one key goes round: laid out, as received, escaped', () => {
  const play = openLog(['[2026-11-21T14:00:01+00:00] app.ERROR: Größe {"n":1} []']);
  const shown = (): readonly unknown[] => [paneOf(play)[0]?.slice(12), showScreen(play.state).at(-2)?.trim()];
  expect(shown()).toEqual(['Größe  n=1  app', 'following']);
  give(play, 'nextRowForm');
  expect(shown()).toEqual(['[2026-11-21T14:00:01+00:00] app.ERROR: Größe {"n":1} []', 'following   as received']);
  give(play, 'nextRowForm');
  expect(shown()).toEqual(['[2026-11-21T14:00:01+00:00] app.ERROR: Gr\\xf6\\xdfe {"n":1} []', 'following   escaped']);
  give(play, 'nextRowForm');
  expect(shown()).toEqual(['Größe  n=1  app', 'following']);
});

const hitsOf = (play: Play): readonly string[] => {
  const view = selectView(play.state);
  const rows = 'tooSmall' in view || view.pane.kind !== 'rows' ? [] : view.pane.rows;
  return rows.flat().flatMap(({text, tone}) => (tone === 'hit' || tone === 'hitNow' ? [text] : []));
};

const search = (play: Play, query: string): void => {
  type(play, 'openSearch', query);
  answerSearches(play);
};

test('a hit is found in the line as received, and shown where the row shows its words', () => {
  const play = openLog([access(502)]);
  search(play, 'cart HTTP/1.1" 502 157');
  expect(hitsOf(play)).toEqual(['502', 'cart', '157']);
});

test('while a hit is in what the layout leaves out, the line stands as received', () => {
  const play = openLog([access(502), 'calm']);
  search(play, '[21/Nov');
  expect(hitsOf(play)).toEqual(['[21/Nov']);
  expect(paneOf(play)[0]?.slice(16)).toMatch(/^10\.2\.0\.7 - - \[21\/Nov\/2026/);
  give(play, 'back');
  expect(paneOf(play)[0]?.slice(16)).toMatch(/^502 GET/);
});

test('colours of the line itself move with its words', () => {
  const line: LineEntry = {
    kind: 'line',
    id: 1,
    at: parseInstant('2026-11-21T14:00:01Z') ?? 0n,
    raw: '2026-11-21T14:00:01Z 2026-11-21T14:00:01Z \x1b[31mERROR\x1b[0m \x1b[32mgone\x1b[0m',
    textIndex: 21,
    late: false,
  };
  const style = {look: plainLook, textColumns: 60, markerColumns: 79, keepsColour: true, layersOf: () => []};
  const [row] = formatEntry(line, style, undefined);
  expect(row).toEqual([expect.objectContaining({text: 'gone', style: expect.anything()})]);
});

test('a tag stands at the right end of the first row and is never cut off', () => {
  const line: LineEntry = {
    kind: 'line',
    id: 1,
    at: parseInstant('2026-11-21T14:00:01Z') ?? 0n,
    raw: '2026-11-21T14:00:01Z abcdefghijklmnop',
    textIndex: 21,
    late: false,
  };
  const rowsOf = (textColumns: number, wraps: boolean): readonly string[] =>
    formatEntry(
      line,
      {
        look: {...plainLook, wraps},
        textColumns,
        markerColumns: 79,
        keepsColour: false,
        layersOf: () => [],
      },
      undefined,
      'new',
    ).map(row => row.map(({text}) => text).join(''));
  expect(rowsOf(12, false)).toEqual(['abcdefg… new']);
  expect(rowsOf(24, false)).toEqual(['abcdefghijklmnop     new']);
  expect(rowsOf(12, true)).toEqual(['abcdefgh new', 'ijklmnop']);
});

test('frames of a trace are dim, and what an error says is bold', () => {
  const view = selectView(openLog(['ERROR the order is lost', ...texts.slice(3)]).state);
  const tonesOf = (words: string): readonly string[] =>
    'tooSmall' in view || view.pane.kind !== 'rows'
      ? []
      : view.pane.rows.flat().flatMap(({text, tone}) => (text.includes(words) ? [tone] : []));
  expect(tonesOf('cart.php')).toEqual(['dim']);
  expect(tonesOf('Payment timed out')).toEqual(['strong']);
  expect(tonesOf('calm')).toEqual(['plain']);
});

test('a hit is in sight, however far down its line it is', () => {
  const far = `ERROR ${'before '.repeat(20)}needle ${'after '.repeat(20)}`;
  const play = openLog([far, access(200), `needle ${'x'.repeat(200)}`]);
  type(play, 'openSearch', 'needle');
  answerSearches(play);
  const [first, , last] = paneOf(play);
  expect(first).toMatch(/^ ✗ 14:00:01\.000 …before before before needle after after .*…$/);
  expect(first).toHaveLength(80);
  expect(last).toMatch(/ needle x+…$/);
  type(play, 'openSearch', 'curl');
  answerSearches(play);
  // The agent has no column at this width, so the line is shown as it came, from before the hit.
  expect(paneOf(play)[1]).toMatch(/^▸ {2}14:00:01\.100 ….* "GET \/shop\/cart HTTP\/1\.1" 200 157 "-" "curl"$/);
});

test('a line that was overwritten shows its last state, and all of it where a hit is in another or it is asked for as received', () => {
  const play = openLog(['10%\r50%\r100%', 'Pulling 3/7\u001b[K\r\u001b[KPulled in 4.2 s\r', 'one state\r', 'calm']);
  expect(paneOf(play)).toEqual([
    '   14:00:01.000 ␍100%',
    '   14:00:01.100 ␍Pulled in 4.2 s',
    '   14:00:01.200 one state␍',
    '   14:00:01.300 calm',
  ]);
  type(play, 'openSearch', '100');
  answerSearches(play);
  expect(paneOf(play)[0]).toMatch(/^. {2}14:00:01.000 ␍100%$/);
  type(play, 'openSearch', '50');
  answerSearches(play);
  expect(paneOf(play)[0]).toMatch(/^. {2}14:00:01.000 10%␍50%␍100%$/);
  give(play, 'back', 'nextRowForm');
  expect(paneOf(play)[1]).toBe('   14:00:01.100 Pulling 3/7␛␍␛Pulled in 4.2 s␍');
});
