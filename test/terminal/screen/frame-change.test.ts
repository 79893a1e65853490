import fc from 'fast-check';
import {afterEach, expect, test} from 'vitest';
import {enterScreen} from '#terminal/screen/escapes.ts';
import {composeRows, createFrameFormatter, type FrameChange, type ShownFrame} from '#terminal/screen/frame-change.ts';
import type {ScreenSize} from '#terminal/screen/frame-stream.ts';
import {createEmulator, type Emulator} from '../../support/emulator.ts';
import {runsOf} from '../../support/thorough.ts';
import {setWidths, type WidthPolicy} from '../frame-model.ts';
import {capabilitiesOf} from '../stage.ts';

const formatRows = createFrameFormatter(capabilitiesOf({TERM: 'xterm-256color', COLORTERM: 'truecolor'}));

const formatFrameChange = (shown: ShownFrame | undefined, frame: string, size: ScreenSize): FrameChange =>
  formatRows(shown, composeRows(frame, undefined, size.rows), size);

let emulators: Emulator[] = [];
afterEach(() => {
  for (const emulator of emulators) {
    emulator.close();
  }
  emulators = [];
});

const openEmulator = (columns: number, rows: number): Emulator => {
  const emulator = createEmulator(columns, rows);
  emulators.push(emulator);
  return emulator;
};

const rowText = (emulator: Emulator): string =>
  (emulator.cells()[0] ?? [])
    .map(({text}) => text)
    .join('')
    .trimEnd();

test.each(['as we do', 'one', 'two', 'none'] satisfies WidthPolicy[])(
  'shows the same after many small changes as after one repaint, where a disputed character takes columns: %s',
  async policy => {
    const wild = [
      '👨‍👩‍👧',
      '👍🏽',
      '🇩🇪',
      'क्षि',
      'e\u0301',
      '\u0301',
      '❤️',
      '①',
      '\u200b',
      'ﷺ',
      '☔',
      'का',
      'ab',
      'c ',
      '│',
      '日',
    ];
    const wildRow = fc.array(fc.constantFrom(...wild), {maxLength: 8}).map(texts => texts.join(''));
    await fc.assert(
      fc.asyncProperty(
        wildRow,
        fc.array(fc.array(wildRow, {minLength: 4, maxLength: 4}), {minLength: 2, maxLength: 8, size: 'max'}),
        async (head, tails) => {
          // Rows that begin alike, so that changes start after cells of doubtful width.
          const frames = tails.map(rows => rows.map((tail, index) => (index < 2 ? head + tail : tail)));
          const current = {columns: 24, rows: 4};
          const changed = openEmulator(current.columns, current.rows);
          const repainted = openEmulator(current.columns, current.rows);
          for (const emulator of [changed, repainted]) {
            setWidths(emulator, policy);
            await emulator.write(enterScreen);
          }
          let shown: ShownFrame | undefined;
          for (const frame of frames) {
            const painted = formatFrameChange(shown, frame.join('\n'), current);
            shown = painted.shown;
            await changed.write(painted.bytes);
          }
          await repainted.write(formatFrameChange(undefined, frames.at(-1)?.join('\n') ?? '', current).bytes);
          expect(changed.cells()).toEqual(repainted.cells());
          changed.close();
          repainted.close();
        },
      ),
      {numRuns: runsOf(100)},
    );
  },
);

test('writes only the cells that changed, in their style', () => {
  const {shown} = formatFrameChange(undefined, 'rate \u001b[32m12\u001b[39m per second', {columns: 40, rows: 2});
  const change = formatFrameChange(shown, 'rate \u001b[32m13\u001b[39m per second', {columns: 40, rows: 2});
  expect(change.bytes).toBe('\u001b[1;7H\u001b[32m3\u001b[m');
});

test('writes one bar of many and not the bars beside it', () => {
  const {shown} = formatFrameChange(undefined, '▁▂▃▄▅▆▇█│● …', {columns: 40, rows: 1});
  expect(formatFrameChange(shown, '▁▂▃▄█▆▇█│● …', {columns: 40, rows: 1}).bytes).toBe('\u001b[1;5H█');
});

test('moves rows that are on the screen already and writes only the new one', () => {
  const rows = ['head', ...Array.from({length: 8}, (_, index) => `a line of the log, number ${index}`), 'foot'];
  const {shown} = formatFrameChange(undefined, rows.join('\n'), {columns: 40, rows: 10});
  const next = ['head', ...rows.slice(2, 9), 'the new line', 'foot'];
  expect(formatFrameChange(shown, next.join('\n'), {columns: 40, rows: 10}).bytes).toBe(
    '\u001b[2;9r\u001b[9H\nthe new line\u001b[r',
  );
  const former = ['head', 'an older line', ...rows.slice(1, 8), 'foot'];
  expect(formatFrameChange(shown, former.join('\n'), {columns: 40, rows: 10}).bytes).toBe(
    '\u001b[2;9r\u001b[2H\u001bMan older line\u001b[r',
  );
});

test('brackets a change that may arrive in pieces, and spares a small one the brackets', () => {
  const frame = (text: string): string => Array.from({length: 10}, () => text.repeat(20)).join('\n');
  const {shown} = formatFrameChange(undefined, frame('abcd'), {columns: 80, rows: 10});
  expect(formatFrameChange(shown, frame('efgh'), {columns: 80, rows: 10}).bytes).toMatch(
    /^\u001b\[\?2026h.*\u001b\[\?2026l$/s,
  );
  expect(formatFrameChange(shown, frame('abcd').replace('a', 'x'), {columns: 80, rows: 10}).bytes).toBe('\u001b[1Hx');
});

test.each(['linux', 'screen', 'vt100', 'stranger'])('brackets nothing for %s', term => {
  const format = createFrameFormatter(capabilitiesOf({TERM: term}));
  const rows = Array.from({length: 10}, () => 'abcd'.repeat(20));
  expect(format(undefined, rows, {columns: 80, rows: 10}).bytes).not.toContain('2026');
});

test('moves no rows on a terminal that nobody knows', () => {
  const format = createFrameFormatter(capabilitiesOf({TERM: 'stranger'}));
  const rows = Array.from({length: 10}, (_, index) => `${index}`.repeat(40));
  const {shown} = format(undefined, rows, {columns: 80, rows: 10});
  const {bytes} = format(shown, [...rows.slice(1), 'new'], {columns: 80, rows: 10});
  expect(bytes.replaceAll(/\u001b\[[0-9;]*[HCK]/g, '')).not.toContain('\u001b');
  expect(bytes).not.toContain('\n');
});

test('lets nothing but colours through to the terminal', async () => {
  const hostile =
    'a\u001b]0;title\u0007b\u001b]52;c;eA==\u001b\\c\u0007d\u001b[2Je\u009b5nf\u001b[6ng\u001bPq\u001b\\h\rj\u001b[?1049lk\u001b]8;id=1;https://a.example\u001b\\l\u001b]8;;file:///etc\u001b\\m\u001b]8;;https://a.example/\u0007n';
  const emulator = openEmulator(40, 2);
  await emulator.write(enterScreen + formatFrameChange(undefined, hostile, {columns: 40, rows: 2}).bytes);
  expect(emulator.screenText()[0]).toBe('abcde5nfghjklmn');
  expect(emulator.events).toEqual({titles: [], bells: [], replies: [], oscs: []});
  expect(emulator.isAltScreenActive()).toBe(true);
});

const address = 'https://console.example.com/site/1?branch=2';
const linked = `see \u001b]8;;${address}\u001b\\the page\u001b]8;;\u001b\\ now`;

test('writes a link around what links, and again when a part of it changes', () => {
  const {bytes, shown} = formatFrameChange(undefined, linked, {columns: 40, rows: 1});
  expect(bytes).toContain(`see \u001b]8;;${address}\u001b\\the page\u001b[C\u001b]8;;\u001b\\now`);
  const change = formatFrameChange(shown, linked.replace('page', 'pane'), {columns: 40, rows: 1});
  expect(change.bytes).toBe(`\u001b[1;11H\u001b]8;;${address}\u001b\\n\u001b]8;;\u001b\\`);
  const away = formatFrameChange(shown, 'see the page now', {columns: 40, rows: 1});
  expect(away.bytes).toBe('\u001b[1;5Hthe page');
});

test.each(['linux', 'vt100', 'screen', 'stranger'])('writes the words of a link alone on %s', term => {
  const format = createFrameFormatter(capabilitiesOf({TERM: term}));
  const {bytes} = format(undefined, [linked], {columns: 40, rows: 1});
  expect(bytes).toContain('see the page now');
  expect(bytes).not.toContain('\u001b]');
});

test('keeps what follows in its place where a terminal draws wider than the layout assumed', async () => {
  const emulator = openEmulator(20, 1);
  setWidths(emulator, 'two');
  const first = formatFrameChange(undefined, 'काab', {columns: 20, rows: 1});
  const second = formatFrameChange(first.shown, 'काb', {columns: 20, rows: 1});
  await emulator.write(enterScreen + first.bytes);
  expect(
    emulator
      .cells()[0]
      ?.slice(2, 4)
      .map(({text}) => text),
  ).toEqual(['a', 'b']);
  await emulator.write(second.bytes);
  expect(
    emulator
      .cells()[0]
      ?.slice(2, 4)
      .map(({text}) => text),
  ).toEqual(['b', ' ']);
});

test('leaves nothing stale where a terminal draws narrower than the layout assumed', async () => {
  const emulator = openEmulator(20, 1);
  setWidths(emulator, 'one');
  const first = formatFrameChange(undefined, 'abcdef', {columns: 20, rows: 1});
  const second = formatFrameChange(first.shown, 'a😀def', {columns: 20, rows: 1});
  await emulator.write(enterScreen + first.bytes + second.bytes);
  expect(rowText(emulator)).toBe('a😀 def');
});

test('replaces what might reach over the right edge', async () => {
  const emulator = openEmulator(4, 1);
  setWidths(emulator, 'two');
  await emulator.write(enterScreen + formatFrameChange(undefined, 'xxका', {columns: 4, rows: 1}).bytes);
  expect(rowText(emulator)).toBe('xx\ufffd');
});

test('spoils no other row where a terminal draws past the edge', async () => {
  const emulator = openEmulator(10, 2);
  const first = formatFrameChange(undefined, 'a\nsecond', {columns: 10, rows: 2});
  const next = formatFrameChange(first.shown, 'aaaaaaaa👨‍👩‍👧\nsecond', {columns: 10, rows: 2});
  await emulator.write(enterScreen + first.bytes + next.bytes);
  expect(emulator.screenText()[1]).toBe('second');
});
