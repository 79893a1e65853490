import {describe, expect, test} from 'vitest';
import {type Pane, paneOf} from '#app/log/log-pane.ts';
import {pickAt, pickedRange, startPicking, updatePicking} from '#app/log/picking.ts';
import {layOutPages, selectPickedLines} from '#app/log/select-lines.ts';
import {rowWidth} from '#app/rows/fit-row.ts';
import type {SourcedEntry} from '#log/view/log-view.ts';
import {
  answer,
  enter,
  give,
  linesOf,
  logOf,
  openEmptyLog,
  openLogWith,
  type Play,
  rowsOf,
  textOf,
  windowOf,
} from '../../support/play.ts';

const onLog = (): Play => openLogWith(windowOf(1, 2, 3, 4));

/** The rows of the pane that are highlighted across the width of the pane, as text. */
const litRows = (play: Play): readonly string[] => {
  const lit = rowsOf(play).filter(row => row.some(part => part.isLit === true));
  expect(lit.every(row => row.every(part => part.isLit === true))).toBe(true);
  expect(lit.map(rowWidth)).toEqual(lit.map(() => play.state.columns));
  return lit.map(row => textOf(row).trimEnd());
};

test('in the log nothing is lit until there is a cursor, then its line, then the whole range', () => {
  const play = onLog();
  expect(litRows(play)).toEqual([]);
  give(play, 'pickLines');
  expect(litRows(play)).toEqual(['▸  14:00:04 line 4']);
  give(play, 'pickLines', 'moveUp', 'moveUp');
  expect(litRows(play)).toEqual(['▸  14:00:02 line 2', '┃  14:00:03 line 3', '┃  14:00:04 line 4']);
  give(play, 'back', 'back');
  expect(litRows(play)).toEqual([]);
});

test('a line that takes several rows is lit in all of them', () => {
  const play = onLog();
  play.send({kind: 'resized', columns: 20, rows: 24});
  play.windowArrives({
    ...windowOf(4),
    value: {...windowOf(4).value, lines: ['2026-11-21T14:00:05.000000000Z one two three']},
  });
  give(play, 'toggleWrap', 'pickLines');
  expect(litRows(play)).toEqual(['▸  14:00:05 one two', '▸           three']);
});

const shown = (play: Play): readonly string[] =>
  selectPickedLines(play.state, logOf(play)).map(row => textOf(row).trimEnd());

describe('the prefix of a line', () => {
  test('tells how long after the line before it came, also if that one is out of view', () => {
    const play = openLogWith(windowOf(1, 3, 6, 10, 15, 21, 28));
    give(play, 'nextTimeMode', 'nextTimeMode', 'nextTimeMode', 'nextTimeMode');
    expect(logOf(play).look.time).toBe('sinceLine');
    const gaps = (): readonly (string | undefined)[] => shown(play).map(row => /\+(\d+\.\d+)/.exec(row)?.[1]);
    expect(gaps()).toEqual(['3.000', '4.000', '5.000', '6.000', '7.000']);
    give(play, 'goFirst');
    expect(gaps()).toEqual([undefined, '0.000', '2.000', '3.000', '4.000']);
  });

  test('has blanks for a line without a time, and no column where no time is shown', () => {
    const play = openEmptyLog();
    play.windowArrives(answer({...windowOf().value, lines: ['no time here', ...windowOf(1).value.lines]}));
    expect(shown(play).filter(row => row.includes('here') || row.includes('line 1'))).toEqual([
      `   ${' '.repeat(9)}no time here`,
      '   14:00:01 line 1',
    ]);
    for (let count = 0; logOf(play).look.time !== 'off'; count++) {
      expect(count).toBeLessThan(7);
      give(play, 'nextTimeMode');
    }
    expect(shown(play).at(-1)).toBe('   line 1');
  });

  test('is blank on further rows of a line, and the row of its note has none', () => {
    const play = openLogWith(
      answer({...windowOf().value, lines: [`2026-11-21T14:00:01.000000000Z ${'x'.repeat(70)}`]}),
    );
    give(play, 'toggleWrap', 'pickLines', 'markLine');
    enter(play, 'why');
    expect(shown(play).slice(-3)).toEqual([`▸  14:00:01 ${'x'.repeat(68)}`, `▸${' '.repeat(11)}xx`, '  ● why']);
  });
});

describe('picking', () => {
  const at = (play: Play): number | undefined => {
    const pane = paneOf(play.state, logOf(play));
    return pickedRange(logOf(play), pane)?.first;
  };

  test('moves by rows and pages that leave a row in sight, and stops at both ends', () => {
    const play = openLogWith(linesOf(1, 40));
    give(play, 'pickLines');
    expect(at(play)).toBe(40);
    give(play, 'pageUp');
    expect(at(play)).toBe(36);
    give(play, 'moveDown', 'goFirst');
    expect(at(play)).toBe(0);
    give(play, 'moveUp', 'pageDown');
    expect(at(play)).toBe(4);
    give(play, 'goLast', 'moveDown');
    expect(at(play)).toBe(40);
  });

  test('is of the cursor, else of the newest line that is followed, else of the top row', () => {
    const play = openLogWith(linesOf(1, 40));
    const pane = (): Pane => paneOf(play.state, logOf(play));
    expect(startPicking(logOf(play), pane()).cursor?.anchor.at).toBe(pane().view.timeAt(40));
    give(play, 'moveUp');
    expect(startPicking(logOf(play), pane()).cursor?.anchor.at).toBe(pane().view.timeAt(35));
    expect(updatePicking(logOf(play), pane(), 'moveDown')).toBeUndefined();
    expect(pickedRange(logOf(play), pane())).toBeUndefined();
    const empty = openEmptyLog();
    expect(startPicking(logOf(empty), paneOf(empty.state, logOf(empty)))).toBe(logOf(empty));
  });

  test('a press picks a line, and extends the range that was begun', () => {
    const play = openLogWith(linesOf(1, 40));
    const pane = (): Pane => paneOf(play.state, logOf(play));
    const pressed = pickAt(logOf(play), pane(), 38);
    expect(pressed.cursor).toMatchObject({kind: 'picking', rangeFrom: undefined});
    expect(pickedRange(pressed, pane())).toEqual({first: 38, last: 38});
    give(play, 'pickLines', 'pickLines');
    expect(pickedRange(pickAt(logOf(play), pane(), 37), pane())).toEqual({first: 37, last: 40});
    expect(updatePicking(logOf(play), pane(), 'nextTheme' as never)).toBeUndefined();
    // A range whose end left the view ends with the view.
    const gone = {
      ...logOf(play),
      cursor: {kind: 'picking', anchor: {source: 0, id: 999, at: 10n ** 30n}, rangeFrom: undefined},
    } as const;
    expect(pickedRange(gone, pane())).toEqual({first: 41, last: 40});
    give(play, 'copyLines', 'pickLines');
    expect(logOf(play).cursor).toMatchObject({isCopied: false});
  });
});

describe('pages around the screen', () => {
  test('are laid out from the screen outwards, first the one above, without the lines that are shown', () => {
    const play = openLogWith(linesOf(1, 40));
    give(play, 'goFirst', 'pageDown', 'pageDown');
    const log = logOf(play);
    const pane = paneOf(play.state, log);
    expect(shown(play)[0]).toContain('line 8');
    const laidOut: (string | undefined)[] = [];
    const bodyOf = pane.bodyOf;
    Object.assign(pane, {
      bodyOf: (entry: SourcedEntry) => {
        laidOut.push(/line \d+|nothing older/.exec(textOf(bodyOf(entry)[0] ?? []))?.[0]);
        return bodyOf(entry);
      },
    });
    const work = layOutPages(play.state, log);
    let steps = 0;
    for (; work.next().done !== true; steps++) {
      expect(laidOut).toHaveLength(steps + 1);
    }
    expect(laidOut).toEqual([
      ...[7, 6, 5, 4, 3].map(number => `line ${number}`),
      ...[13, 14, 15, 16, 17].map(number => `line ${number}`),
    ]);
  });

  test('end where the log does', () => {
    const play = openLogWith(linesOf(1, 7));
    give(play, 'moveUp');
    const work = layOutPages(play.state, logOf(play));
    let steps = 0;
    for (; work.next().done !== true; steps++) {}
    expect(steps).toBe(3);
    const empty = openEmptyLog();
    expect(layOutPages(empty.state, logOf(empty)).next().done).toBe(true);
  });
});
