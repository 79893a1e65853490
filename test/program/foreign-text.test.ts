import {afterEach, expect, test} from 'vitest';
import {type PtyProgram, startPtyProgram} from '../support/pty-program.ts';

let program: PtyProgram | undefined;
afterEach(async () => {
  await program?.close();
  program = undefined;
});

/** A scroll region with the line feeds, or reverse ones, that scroll it; a pseudo-terminal puts a carriage return before each feed. */
const scrolling = /\u001b\[\d+;\d+r\u001b\[\d+H(?:(?:\r?\n)+|(?:\u001bM)+)/g;

/** All else that the program sends beside text: cursor, erasing, its looks, seven modes, and the questions for the background and whether a frame was taken. */
const ownSequences =
  /\u001b\[(?:\d*(?:;\d+)?H|K|2J|r|(?:(?:[0127]|3[0-6]|[34]8;5;\d{1,3}|4[0-7]|9[2-7]|10[2-6])(?:;(?:[127]|3[0-6]|[34]8;5;\d{1,3}|4[0-7]|9[2-7]|10[2-6])){0,3})?m|\?(?:1049|25|7|1000|1006|2004|2026)[hl])|\u001b\]11;\?\u0007|\u001b\[5n|\r?\u001b\[\d*C/g;

/** What no text may hold: C0, DEL, C1, bidi controls, zero-width and tags, line and paragraph separators. */
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

const expectOwnSequencesOnly = (walked: PtyProgram): void => {
  expect(walked.events).toEqual({titles: [], bells: [], replies: [], oscs: ['11;?']});
  const text = walked.output().replaceAll(scrolling, '').replaceAll(ownSequences, '');
  const found = unsafe.exec(text);
  expect(found === null ? '' : JSON.stringify(text.slice(Math.max(0, found.index - 40), found.index + 40))).toBe('');
};

/** Header, pane, state and keys: every row where it belongs, whatever stands in it. */
const misplacedRows = (rows: readonly string[], place: string): readonly string[] => {
  const isRight = (row: string, index: number): boolean => {
    switch (index) {
      case 0:
        return row.startsWith(place);
      case 1:
        return /^[ ·▁▂▃▄▅▆▇█[\]│╳▌▓]*(?:most [\d,]+ in [\d.]+ \w+(?:, [\d,]+ failed)?)? *(?:\d\d:\d\d to \d\d:\d\d)?$/.test(
          row,
        );
      case rows.length - 2:
        return /^ (?:following|paused at)/.test(row);
      case rows.length - 1:
        return row.startsWith(' I what happened   / search');
      default:
        return /^(?: [✗! ] \d\d:\d\d:\d\d\.\d{3}| ── | {15}|$)/.test(row);
    }
  };
  return rows.filter((row, index) => !isRight(row, index));
};

const countRepaints = (walked: PtyProgram): number => walked.output().split('\u001b[2J').length;

/** The rows once they are all in their places: a terminal hands output over in pieces, so a row may be half drawn for a moment. */
const settled = async (
  walked: PtyProgram,
  place: string,
  holds: (rows: readonly string[]) => boolean,
): Promise<readonly string[]> => {
  const isSettled = (rows: readonly string[]): boolean => holds(rows) && misplacedRows(rows, place).length === 0;
  return walked.waitFor(isSettled, {what: 'every row in its place', deadlineMs: 5000});
};

/** From the oldest line to the newest, page by page; nothing may be shifted on the way. Answers how many pages there were. */
const scrollThrough = async (walked: PtyProgram, place: string): Promise<number> => {
  walked.press('g');
  let page = await settled(walked, place, rows => rows.join().includes('paused at'));
  let pageCount = 1;
  while (!page.join().includes('following')) {
    const before = page.slice(2, -2).join('\n');
    walked.press('PageDown');
    page = await settled(
      walked,
      place,
      rows => rows.slice(2, -2).join('\n') !== before || rows.join().includes('following'),
    );
    pageCount += 1;
  }
  // What was moved, patched and scrolled is what a whole repaint shows.
  walked.press('Space');
  const patched = await settled(walked, place, rows => rows.join().includes('paused at'));
  const repaints = countRepaints(walked);
  walked.press('Ctrl+L');
  await walked.waitFor(() => countRepaints(walked) > repaints, {what: 'a repaint'});
  const pane = (rows: readonly string[]): string => rows.slice(2, -2).join('\n');
  await walked.waitFor(rows => pane(rows) === pane(patched), {what: 'the same pane after a repaint'});
  return pageCount;
};

test('lines, pods, branches and fields that try to take the terminal over do not', async () => {
  const hostile = startPtyProgram({args: ['demo', 'hostile'], columns: 130, rows: 30});
  program = hostile;
  await hostile.waitFor('▸ shop');
  hostile.press('Enter');
  const branches = await hostile.waitFor('● master');
  const names = branches.slice(2, -2).filter(row => /^ [▸ ] [●○◐✗?] /.test(row));
  expect(names.length).toBeGreaterThan(10);
  for (let index = 0; index < names.length; index += 1) {
    // Each branch: its record beside the list, then its log, whose header has its name.
    const rows = await hostile.waitFor(now => now[index + 2]?.startsWith(' ▸ ') === true, {what: `branch ${index}`});
    expect(rows[0]).toMatch(/^ shop {3}demo hostile/);
    expect(rows.at(-1)).toMatch(/^ ↑↓ choose/);
    hostile.press('Enter');
    await hostile.waitFor(now => now[0]?.startsWith(' shop › ') === true && /live|not built/.test(now[0]));
    hostile.press('Esc');
    await hostile.waitFor(now => now[index + 2]?.startsWith(' ▸ ') === true && now[0]?.startsWith(' shop   ') === true);
    hostile.press('j');
  }
  hostile.press('/', 'owned');
  await hostile.waitFor('/ owned█');
  hostile.press('Ctrl+U', 'master', 'Enter');
  await hostile.waitFor(
    rows => rows[0]?.startsWith(' shop › master') === true && /\d\d:\d\d:\d\d\.\d{3}/.test(rows[2] ?? ''),
  );
  expect(await scrollThrough(hostile, ' shop › master')).toBeGreaterThan(5);
  hostile.press('?');
  await hostile.waitFor('Keys on the log screen');
  // It closes the help, then the program.
  hostile.press('q');
  hostile.press('q');
  expect(await hostile.exitCode()).toBe(0);
  expectOwnSequencesOnly(hostile);
});

test('wide, combined and right-to-left text shifts no row', async () => {
  const unicode = startPtyProgram({args: ['demo', 'unicode'], columns: 60, rows: 16});
  program = unicode;
  await unicode.waitFor('▸ shop');
  unicode.press('Enter');
  await unicode.waitFor('● master');
  unicode.press('/', 'master');
  await unicode.waitFor('/ master█');
  unicode.press('Enter');
  await unicode.waitFor(/following/);
  expect(await scrollThrough(unicode, ' shop › master')).toBeGreaterThan(5);
  unicode.press('q');
  expect(await unicode.exitCode()).toBe(0);
  expectOwnSequencesOnly(unicode);
});
