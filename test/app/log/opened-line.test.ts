import {describe, expect, test} from 'vitest';
import {promptOf} from '#app/keys/input-focus.ts';
import {readOverlay} from '#app/log/read-log.ts';
import {selectView} from '#app/select-view.ts';
import {hostileTexts} from '../../log/hostile-text.ts';
import {
  answer,
  branchesNamed,
  give,
  openBranch,
  type Play,
  paneOf,
  sampleState,
  showScreen,
  startAt,
  textOf,
  windowOf,
} from '../../support/play.ts';
import {answerSearches} from '../play-search.ts';

/** A log of lines with these texts, a second each, from 14:00:00 on. */
const openLog = (texts: readonly string[], size: {readonly columns?: number; readonly rows?: number} = {}): Play => {
  const play = openBranch({rows: 40, ...size});
  play.windowArrives(textWindow(texts));
  return play;
};

const textWindow = (texts: readonly string[]) =>
  answer({
    ...windowOf().value,
    lines: texts.map((text, second) => `2026-11-21T14:00:${String(second).padStart(2, '0')}.123456789Z ${text}`),
  });

/** The rows of the pane up to the last that is not blank. */
const rowsOf = (play: Play): readonly string[] => {
  const rows = paneOf(play);
  return rows.slice(0, rows.findLastIndex(row => row !== '') + 1);
};

const access = '10.2.0.7 - - [21/Nov/2026:14:00:00 +0000] "POST /cart HTTP/1.1" 502 157 "-" "curl"';

test('Enter picks first where there is nothing picked, then opens the line with all that is known of it', () => {
  const play = openLog([access, 'calm']);
  give(play, 'openLine');
  expect(showScreen(play.state).at(-2)).toBe(' choose a line; Enter opens it');
  expect(play.state.log?.overlay).toBeUndefined();
  give(play, 'moveUp', 'openLine');
  expect(rowsOf(play)).toEqual([
    ' 2026-11-21T14:00:00.123456789Z   15:00:00.123+01:00 local   2 min ago',
    '',
    ' Fields',
    '   level    error',
    '   status   502',
    '   method   POST',
    '   path     /cart',
    '   client   10.2.0.7',
    '   bytes    157',
    '   time     21/Nov/2026:14:00:00 +0000',
    '',
    ' Text  113 bytes as received',
    '   10.2.0.7 - - [21/Nov/2026:14:00:00 +0000] "POST /cart HTTP/1.1" 502 157 "-"',
    '   "curl"',
  ]);
  expect(showScreen(play.state).at(-1)).toContain('Esc back to the log');
  give(play, 'back');
  expect(paneOf(play)[1]).toMatch(/^▸✗ 14:00:00\.123 502 POST \/cart {20,}157 B$/);
});

test('an opened line that was overwritten says its last state, that there were others, and all of them', () => {
  const play = openLog(['10%\r50%\r100%', '10%\r100%', 'calm']);
  give(play, 'pickLines', 'moveUp', 'moveUp', 'openLine');
  expect(rowsOf(play).slice(2)).toEqual([
    ' Last state  after 2 earlier ones',
    '   100%',
    '',
    ' As received  43 bytes; what could harm a terminal is replaced',
    '   2026-11-21T14:00:00.123456789Z 10%␍50%␍100%',
    '',
    ' Escaped',
    '   2026-11-21T14:00:00.123456789Z 10%\\x0d50%\\x0d100%',
  ]);
  give(play, 'moveRight');
  expect(rowsOf(play)[2]).toBe(' Last state  after 1 earlier one');
});

test('ids stand on top of the fields, and the trail of the first is shown at once', () => {
  const id = '4bf92f3577b34da6a3ce929d0e0e4736';
  const play = openLog([`trace_id=${id} GET /cart took 12 ms`, 'calm', `trace_id=${id} done`]);
  give(play, 'pickLines', 'openLine');
  expect(rowsOf(play)[3]).toContain(id);
  expect(showScreen(play.state).at(-1)).toContain('* trail of the id');
  give(play, 'showTrail');
  expect(play.state.log?.overlay).toMatchObject({kind: 'trail', text: id});
  const plain = openLog(['calm']);
  give(plain, 'pickLines', 'openLine', 'showTrail');
  expect(showScreen(plain.state).at(-2)).toBe(' Tab chooses a field first');
});

test('the files of a trace stand below the other fields, and a chosen field is lit as a row', () => {
  const play = openLog(['{"level":"error","message":"no","at":"/srv/a.php:12","order_id":71748}']);
  give(play, 'pickLines', 'openLine');
  expect(rowsOf(play).slice(3, 6)).toEqual(['   level     error', '   order_id  71748', '   at        /srv/a.php:12']);
  give(play, 'nextSection');
  const view = selectView(play.state);
  const rows = 'tooSmall' in view || view.pane.kind !== 'rows' ? expect.fail() : view.pane.rows;
  expect(rows.filter(row => row.some(({isLit}) => isLit === true)).map(textOf)).toEqual([
    ' ▸ order_id  71748'.padEnd(play.state.columns),
  ]);
});

test.each(['openLine', 'toggleInspector', 'toggleSummary'] as const)(
  'a key that %s has no use for says what comes first',
  pane => {
    const play = openLog([access, 'calm']);
    give(play, 'pickLines', pane, 'filterIn');
    expect(promptOf(play.state)).toBeUndefined();
    expect(play.state.log?.overlay).toBeDefined();
    expect(showScreen(play.state).at(-2)).toBe(' Esc returns to the log first');
    give(play, 'moveDown');
    expect(showScreen(play.state).at(-2)).not.toContain('goes back');
  },
);

test('a record in JSON stands over several rows, a trace with all its lines, and a narrow screen loses nothing', () => {
  const play = openLog(
    ['{"level":"error","msg":"no","n":1.10}', 'Error: deep', '  at a.b(C.java:1)', '\tat d', 'calm'],
    {
      columns: 40,
    },
  );
  give(play, 'pickLines', 'moveUp', 'moveUp', 'moveUp', 'openLine');
  expect(rowsOf(play)).toEqual([
    ' 2026-11-21T14:00:01.123456789Z',
    ' 15:00:01.123+01:00 local   2 min ago',
    '',
    ' Fields',
    '   level      error',
    '   exception  Error',
    '',
    ' Text  42 bytes as received',
    '   Error: deep',
    '',
    ' Trace  2 lines',
    '     at a.b(C.java:1)',
    '           at d',
  ]);
  give(play, 'moveLeft');
  expect(rowsOf(play).slice(3)).toEqual([
    ' Fields',
    '   level    error',
    '   n        1.10',
    '',
    ' JSON  68 bytes as received',
    '   {',
    '     "level": "error",',
    '     "msg": "no",',
    '     "n": 1.10',
    '   }',
  ]);
});

test('the arrows go to the lines beside it, past markers, and the log stands there afterwards', () => {
  const play = openLog(['one', 'two', 'three']);
  const title = (): string => rowsOf(play)[0]?.slice(1, 31) ?? '';
  give(play, 'pickLines', 'openLine');
  expect(title()).toBe('2026-11-21T14:00:02.123456789Z');
  give(play, 'moveRight');
  expect(showScreen(play.state).at(-2)).toBe(' no more lines below');
  give(play, 'moveLeft', 'moveLeft');
  expect(title()).toBe('2026-11-21T14:00:00.123456789Z');
  // Above it is the horizon alone.
  give(play, 'moveLeft');
  expect(showScreen(play.state).at(-2)).toBe(' no more lines above');
  give(play, 'moveRight', 'back');
  expect(paneOf(play)[2]).toBe('▸  14:00:01.123 two');
  give(play, 'back', 'pickLines', 'goFirst', 'openLine');
  expect(showScreen(play.state).at(-2)).toBe(' this is a marker, not a line');
});

test('it is copied as it was received, and stays open', () => {
  const play = openLog(['one', 'two \u001b[31mred']);
  give(play, 'pickLines', 'openLine', 'copyLines');
  expect(play.effects).toEqual([
    {kind: 'copy', text: '2026-11-21T14:00:01.123456789Z two \u001b[31mred', what: '1 line'},
  ]);
  expect(play.state.log?.overlay?.kind).toBe('line');
});

test('a long line is whole by scrolling, and what is scrolled stays within it', () => {
  const words = Array.from({length: 1200}, (_, index) => `word-${index}`).join('-');
  const play = openLog([words], {rows: 14});
  give(play, 'pickLines', 'openLine');
  expect(showScreen(play.state).at(-1)).toBe(' Esc back to the log   ↑↓ scroll   Tab choose a field   y copy   ? help');
  const seen = new Set<string>();
  for (let page = 0; page < 100; page++) {
    for (const row of paneOf(play)) {
      seen.add(row);
    }
    give(play, 'pageDown');
  }
  const rows = [...seen];
  const text = rows.slice(rows.findIndex(row => row.startsWith(' Text')) + 1);
  expect(text.map(row => row.slice(3)).join('')).toBe(words);
  const last = paneOf(play);
  give(play, 'goLast', 'moveDown');
  expect(paneOf(play)).toEqual(last);
  expect(last.at(-1)).not.toBe('');
  give(play, 'goFirst');
  expect(paneOf(play)[0]).toContain('2026-11-21T14:00:00.123456789Z');
  give(play, 'moveDown', 'moveUp');
  expect(paneOf(play)[0]).toContain('2026-11-21T14:00:00.123456789Z');
});

test('it can be read on when the line has left the buffer, and the keys go on from its place', () => {
  const play = startAt(
    sampleState({rows: 40, logSettings: {intervalMs: 2000, bufferBytesMax: 900, keepsColour: false, rows: 'laid-out'}}),
  );
  give(play, 'open');
  play.branchesArrive(branchesNamed('master'));
  give(play, 'open');
  play.windowArrives(windowOf(1, 2, 3));
  give(play, 'pickLines', 'openLine');
  for (let second = 4; second < 60; second++) {
    play.windowArrives(windowOf(...Array.from({length: 3}, (_, index) => second - 2 + index)));
  }
  const held = play.state.log?.sources[0].tail.log.buffer;
  expect(held?.evictedLines).toBeGreaterThan(10);
  expect(rowsOf(play).slice(0, 4)).toEqual([
    expect.stringContaining('14:00:03.000000000Z'),
    '',
    ' Text  37 bytes as received',
    '   line 3',
  ]);
  give(play, 'moveRight');
  expect(rowsOf(play)[3]).toBe(`   line ${60 - (held?.lineCount ?? 0)}`);
});

test.each(Object.entries(hostileTexts))('nothing of %s reaches a cell', (_, text) => {
  const play = openLog([`before ${text} after`, `{"user":${JSON.stringify(text)}}`, 'Error: x', `\tat ${text}`], {
    rows: 200,
  });
  give(play, 'pickLines', 'goFirst', 'moveDown', 'openLine');
  for (let line = 0; line < 4; line++) {
    expect(paneOf(play).join('')).not.toMatch(
      /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/,
    );
    expect(rowsOf(play).join('')).toMatch(/As received|(?:JSON|Text) {2}\d+ bytes as received/);
    give(play, 'moveRight');
  }
});

test('no row of it is wider than the screen, at any size', () => {
  const play = openLog(
    [`{"level":"error","path":"/${'x'.repeat(300)}","msg":"日本語 ${'w'.repeat(200)}"}`, '\tat 日本'],
    {},
  );
  give(play, 'pickLines', 'moveUp', 'openLine');
  for (const columns of [20, 21, 39, 40, 60, 79, 80, 120, 200]) {
    for (const rows of [5, 6, 10, 24, 60]) {
      const screen = showScreen({...play.state, columns, rows});
      expect(screen.length).toBeLessThanOrEqual(rows);
      expect(screen.find(row => [...row].length > columns)).toBeUndefined();
    }
  }
});

test('what was received is shown as it is, and its escapes below it', () => {
  const play = openLog(['C:\\temp für \u001b[31mrot\u202e']);
  give(play, 'pickLines', 'openLine');
  const rows = rowsOf(play);
  expect(rows.slice(rows.findIndex(row => row.startsWith(' As received')))).toEqual([
    ' As received  55 bytes; what could harm a terminal is replaced',
    '   2026-11-21T14:00:00.123456789Z C:\\temp für rot\ufffd',
    '',
    ' Escaped',
    '   2026-11-21T14:00:00.123456789Z C:\\\\temp f\\xfcr \\x1b[31mrot\\u{202e}',
  ]);
  const plain = openLog(['calm']);
  give(plain, 'pickLines', 'openLine');
  expect(rowsOf(plain).join()).not.toContain('Escaped');
});

describe('the fields of an opened line', () => {
  const trouble = `${access.slice(0, -6)}"https://shop.example.com/a"`;
  const chosen = (play: Play): string => rowsOf(play).find(row => row.startsWith(' ▸ ')) ?? '';
  const openFields = (): Play => {
    const play = openLog(['calm', '10.2.0.70 - - [21/Nov/2026:14:00:00 +0000] "GET /502 HTTP/1.1" 200 2', trouble], {
      columns: 120,
    });
    give(play, 'pickLines', 'openLine', 'nextSection');
    return play;
  };

  test('are chosen one after the other, round and round, and Esc lets go before it closes', () => {
    const play = openFields();
    expect(chosen(play)).toBe(' ▸ status   502');
    give(play, 'moveDown', 'nextSection');
    expect(chosen(play)).toBe(' ▸ path     /cart');
    give(play, 'moveUp', 'moveUp', 'moveUp');
    expect(chosen(play)).toBe(' ▸ url      https://shop.example.com/a');
    give(play, 'back');
    expect(chosen(play)).toBe('');
    expect(play.state.log?.overlay?.kind).toBe('line');
    give(play, 'back');
    expect(play.state.log?.overlay).toBeUndefined();
  });

  test('are read to a screen reader as they are chosen', () => {
    const {state} = openFields();
    const {log} = state;
    const words = log?.overlay === undefined ? '' : readOverlay(state, log, log.overlay);
    expect(words).toBe('status, 502');
  });

  test('are copied, and a web address is a link', () => {
    const play = openFields();
    give(play, 'nextSection', 'nextSection', 'nextSection', 'copyLines');
    expect(play.effects).toContainEqual({kind: 'copy', text: '10.2.0.7', what: 'the client'});
    give(play, 'openLine');
    expect(play.effects).toContainEqual({kind: 'copy', text: '10.2.0.7', what: 'the client'});
    const view = selectView(play.state);
    const links =
      'tooSmall' in view || view.pane.kind !== 'rows' ? [] : view.pane.rows.flat().flatMap(({link}) => link ?? []);
    expect(links).toEqual(['https://shop.example.com/a']);
  });

  test.each([
    [0, 'filterIn', ['502']],
    [0, 'filterOut', ['calm', '10.2.0.70']],
    [3, 'filterIn', ['502']],
    [2, 'filterOut', ['calm', '10.2.0.70']],
  ] as const)('number %i filters with %s: a status only as one, a client as a whole', (number, command, left) => {
    const play = openFields();
    give(play, ...Array.from({length: number}, () => 'nextSection' as const), command);
    answerSearches(play);
    expect(play.state.log?.overlay).toBeUndefined();
    const rows = paneOf(play).filter(row => /^.[✗! ] 14:00:0\d\.\d{3} /.test(row));
    expect(rows.map(row => left.find(word => row.includes(word)))).toEqual([...left]);
  });

  test('that are times lead there, others say that they do not', () => {
    const play = openFields();
    give(play, 'goToTime');
    expect(play.state.notice).toBe('the status is not a time to jump to');
    give(play, 'moveUp', 'moveUp');
    expect(chosen(play)).toContain('time');
    give(play, 'goToTime');
    expect(play.state.log?.overlay).toBeUndefined();
    expect(paneOf(play).find(row => row.startsWith('▸'))).toContain('calm');
  });
});

describe('an opened line', () => {
  const openedIn = (play: Play) => {
    const overlay = play.state.log?.overlay;
    return overlay?.kind === 'line' ? overlay : expect.fail('no line is open');
  };
  const hintsIn = (play: Play): string => showScreen(play.state).at(-1) ?? '';
  const stateIn = (play: Play): string => showScreen(play.state).at(-2)?.trim() ?? '';

  test('whose row is a marker says what it is, and a gap whose it is and why', () => {
    const play = openLog(['one']);
    give(play, 'goFirst', 'pickLines', 'openLine');
    expect(stateIn(play)).toBe('this is a marker, not a line');
    expect(play.state.log?.overlay).toBeUndefined();
    const numbered = (first: number, losses: readonly object[]) =>
      answer({
        ...textWindow(['x', 'y']).value,
        numbering: {
          series: 'a',
          first,
          sources: [{pod: 'web-1', container: 'php'}],
          runs: [
            [0, 1],
            [0, 1],
          ],
          losses,
        } as never,
      });
    const lossy = openLog([]);
    lossy.windowArrives(numbered(1, []));
    lossy.windowArrives(numbered(90, []));
    give(lossy, 'previousMarker', 'openLine');
    expect(stateIn(lossy)).toBe('the window moved on, 87 lines missing');
  });

  test('of which no field is known says so', () => {
    const play = openLog(['calm']);
    give(play, 'pickLines', 'openLine', 'nextSection');
    expect(stateIn(play)).toBe('no fields recognised');
    expect(openedIn(play).chosen).toBeUndefined();
  });

  test('scrolls only as far as the chosen value needs', () => {
    const play = openLog([access], {rows: 10});
    give(play, 'pickLines', 'openLine', 'nextSection');
    const tops = [openedIn(play).top];
    for (let count = 0; count < 6; count++) {
      give(play, 'nextSection');
      tops.push(openedIn(play).top);
    }
    expect(tops).toEqual([0, 0, 1, 2, 3, 4, 4]);
    expect(paneOf(play)[0]).toMatch(/^ ▸ status/);
  });

  test('has hints for what it is: a long one how to scroll first, a value what to do with it', () => {
    const play = openLog([access], {columns: 120});
    give(play, 'pickLines', 'openLine');
    expect(hintsIn(play)).toMatch(/^ Esc back to the log {3}Tab choose a field {3}←→ other lines {3}y copy/);
    play.send({kind: 'resized', columns: 120, rows: 12});
    expect(hintsIn(play)).toMatch(
      /^ Esc back to the log {3}↑↓ scroll {3}Tab choose a field {3}y copy {3}\? help {3}←→ other lines/,
    );
    give(play, 'nextSection');
    expect(hintsIn(play)).toMatch(/^ y copy {3}f only lines with it/);
    give(play, 'moveUp');
    expect(hintsIn(play)).toMatch(/^ T go there {3}y copy/);
  });

  test('has its facts side by side as far as they fit', () => {
    const play = openLog([access], {columns: 120});
    give(play, 'pickLines', 'openLine');
    const [title = ''] = paneOf(play);
    expect(title).toBe(' 2026-11-21T14:00:00.123456789Z   15:00:00.123+01:00 local   2 min ago');
    play.send({kind: 'resized', columns: title.length + 1, rows: 30});
    expect(paneOf(play)[0]).toBe(title);
    play.send({kind: 'resized', columns: title.length, rows: 30});
    expect(paneOf(play).slice(0, 2)).toEqual([title.replace('   2 min ago', ''), ' 2 min ago']);
  });

  test('without a time is placed, and one that came late says so', () => {
    const play = openLog([]);
    play.windowArrives(answer({...windowOf().value, lines: ['bare', ...textWindow(['x']).value.lines]}));
    give(play, 'goFirst', 'pickLines', 'moveDown', 'openLine');
    expect(paneOf(play)[0]).toMatch(/^ no time in the line {3}placed at 2026-11-21T/);
    const late = openLog(['a', 'b', 'c', 'd']);
    late.windowArrives(
      answer({
        ...windowOf().value,
        lines: [
          ...textWindow(['a', 'b', 'c', 'd']).value.lines.slice(0, 2),
          '2026-11-21T14:00:01.500000000Z came late',
          ...textWindow(['a', 'b', 'c', 'd']).value.lines.slice(2),
        ],
      }),
    );
    give(late, 'pickLines', 'moveUp', 'moveUp', 'openLine');
    expect(paneOf(late).slice(0, 2).join('')).toMatch(/late: arrived after newer lines/);
  });

  test('of a pod filters by its pod, container or stream, all lines of it', () => {
    const play = openLog([]);
    const sources = [
      {pod: 'web-1', container: 'php', stream: 'stdout'},
      {pod: 'web-1', container: 'nginx', stream: 'stdout'},
      {pod: 'web-2', container: 'php', stream: 'stdout'},
    ];
    play.windowArrives(
      answer({
        ...textWindow(['one', 'two', 'three']).value,
        numbering: {series: 'a', first: 1, sources, runs: [0, 1, 2].map(each => [each, 1] as const), losses: []},
      }),
    );
    const picked = (steps: number, command: 'filterIn' | 'filterOut') => {
      const again = startAt(play.state);
      give(again, 'pickLines', 'openLine', ...Array.from({length: steps + 1}, () => 'nextSection' as const), command);
      return again;
    };
    expect(picked(0, 'filterIn').state.log?.sourcePick).toEqual({kind: 'only', names: [sources[2]]});
    expect(picked(1, 'filterIn').state.log?.sourcePick).toEqual({kind: 'only', names: [sources[0], sources[2]]});
    expect(picked(1, 'filterOut').state.log?.sourcePick).toEqual({kind: 'hide', names: [sources[0], sources[2]]});
    expect(picked(0, 'filterIn').state.log?.overlay).toBeUndefined();
    const all = picked(2, 'filterIn');
    expect(stateIn(all)).toBe('all lines are from this stream');
    expect(all.state.log?.overlay?.kind).toBe('line');
    const copied = picked(0, 'filterIn');
    expect(copied.effects.every(({kind}) => kind !== 'copy')).toBe(true);
    give(play, 'pickLines', 'openLine');
    expect(paneOf(play).filter(row => /^ {3}(?:pod|container|stream) /.test(row))).toEqual([
      '   pod        web-2',
      '   container  php',
      '   stream     stdout',
    ]);
  });

  test.each([
    ['status', 'filterIn'],
    ['client', 'filterIn'],
    ['path', 'filterOut'],
  ] as const)('filters by its %s', (label, command) => {
    const play = openLog([access, 'calm 502 10.2.0.7 /cart', access]);
    give(play, 'pickLines', 'openLine', 'nextSection');
    for (let count = 0; !paneOf(play).some(row => row.startsWith(` ▸ ${label} `)); count++) {
      expect(count).toBeLessThan(9);
      give(play, 'nextSection');
    }
    give(play, command);
    answerSearches(play);
    const counts = {status: 2, client: 2, path: 0};
    expect(showScreen(play.state).filter(row => /502/.test(row) && /^.[✗ !] .14|^.[✗ !] 14/.test(row))).toHaveLength(
      counts[label],
    );
  });

  test('goes to the line beside it, past markers, until there are no more', () => {
    const play = openLog(['one', 'two']);
    give(play, 'pickLines', 'openLine', 'moveRight');
    expect(stateIn(play)).toBe('no more lines below');
    give(play, 'moveLeft');
    expect(openedIn(play).line.raw).toMatch(/one$/);
    give(play, 'moveLeft');
    expect(stateIn(play)).toBe('no more lines above');
    give(play, 'moveRight');
    expect(openedIn(play).line.raw).toMatch(/two$/);
  });
});
