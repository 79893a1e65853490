import fc from 'fast-check';
import {afterEach, expect, test} from 'vitest';
import {enterScreen} from '../../src/terminal/escapes.ts';
import {formatFrameChange, type ShownFrame} from '../../src/terminal/frame-change.ts';
import {createEmulator, type Emulator, type ScreenCell} from '../support/emulator.ts';

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

const blankCell: ScreenCell = {
  text: ' ',
  columns: 1,
  foreground: undefined,
  background: undefined,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};

/** The cells of a frame drawn in the plainest way there is: on a wide empty screen, each row at its place, and cut at the edge. */
const drawPlainly = async (frame: string, columns: number, rows: number): Promise<ScreenCell[][]> => {
  const emulator = openEmulator(columns + 200, rows);
  const bytes = frame
    .split('\n', rows)
    .map((row, index) => `\u001b[${index + 1}H${row}\u001b[0m`)
    .join('');
  await emulator.write(bytes);
  const cells = emulator.cells().map(cellsOfRow => {
    const cut = cellsOfRow.slice(0, columns);
    // Half of a wide character does not fit.
    return cut.at(-1)?.columns === 2 ? [...cut.slice(0, -1), blankCell] : cut;
  });
  emulator.close();
  return cells;
};

const colours = ['31', '32', '1;33', '7', '2', '48;5;22', '38;2;10;20;30', '4'];
const words = ['', ' ', 'a', 'GET /', '200', 'error', '2025-01-01T00:00:00Z ', '│', '▁▂▃', 'é', '日本', '     '];

const piece = fc
  .tuple(fc.constantFrom(...words), fc.option(fc.constantFrom(...colours), {nil: undefined}))
  .map(([text, colour]) => (colour === undefined ? text : `\u001b[${colour}m${text}\u001b[0m`));
const row = fc.array(piece, {maxLength: 6}).map(pieces => pieces.join(''));
// The emulator has at least two columns.
const size = fc.record({columns: fc.integer({min: 2, max: 40}), rows: fc.integer({min: 1, max: 12})});

type Step =
  | {readonly kind: 'frame'; readonly rows: readonly string[]}
  | {readonly kind: 'shift'; readonly by: number; readonly from: number; readonly fresh: string}
  | {readonly kind: 'edit'; readonly at: number; readonly row: string}
  | {readonly kind: 'resize'; readonly columns: number; readonly rows: number};

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({kind: fc.constant('frame' as const), rows: fc.array(row, {maxLength: 14})}),
  fc.record({
    kind: fc.constant('shift' as const),
    by: fc.integer({min: -5, max: 5}),
    from: fc.integer({min: 0, max: 4}),
    fresh: row,
  }),
  fc.record({kind: fc.constant('edit' as const), at: fc.nat(11), row}),
  size.map(({columns, rows}) => ({kind: 'resize' as const, columns, rows})),
);

const takeStep = (frame: readonly string[], change: Step): readonly string[] => {
  switch (change.kind) {
    case 'frame':
      return change.rows;
    case 'shift': {
      const {by, from, fresh} = change;
      const head = frame.slice(0, from);
      const body = frame.slice(from);
      return by > 0
        ? [...head, ...body.slice(by), ...Array<string>(by).fill(fresh)]
        : [...head, ...Array<string>(-by).fill(fresh), ...body.slice(0, body.length + by)];
    }
    case 'edit':
      return frame.map((text, index) => (index === change.at ? change.row : text));
    case 'resize':
      return frame;
  }
};

test('shows exactly the last frame, colours included, after any sequence of frames and sizes', async () => {
  await fc.assert(
    fc.asyncProperty(
      size,
      fc.array(row, {minLength: 8, maxLength: 14}),
      fc.array(step, {minLength: 1, maxLength: 12, size: 'max'}),
      async (firstSize, firstFrame, steps) => {
        let current = firstSize;
        const emulator = openEmulator(current.columns, current.rows);
        await emulator.write(enterScreen);
        let frame: readonly string[] = firstFrame;
        let shown: ShownFrame | undefined;
        for (const change of [undefined, ...steps]) {
          if (change?.kind === 'resize') {
            current = {columns: change.columns, rows: change.rows};
            emulator.resize(current.columns, current.rows);
            shown = undefined;
          }
          frame = change ? takeStep(frame, change) : frame;
          const painted = formatFrameChange(shown, frame.join('\n'), current);
          shown = painted.shown;
          await emulator.write(painted.bytes);
          expect(emulator.cells()).toEqual(await drawPlainly(frame.join('\n'), current.columns, current.rows));
        }
        emulator.close();
      },
    ),
    {numRuns: 120},
  );
});

test('shows the same after many small changes as after one repaint, whatever widths the terminal sees', async () => {
  const wild = [
    '👨‍👩‍👧',
    '👍🏽',
    '🇩🇪',
    'क्षि',
    'e\u0301',
    'a\u0301',
    '\u0301',
    '❤️',
    '①',
    '\u200b',
    'ﷺ',
    'ab',
    'c ',
    '│',
  ];
  const wildRow = fc.array(fc.constantFrom(...wild), {maxLength: 8}).map(texts => texts.join(''));
  await fc.assert(
    fc.asyncProperty(
      wildRow,
      fc.array(fc.array(wildRow, {minLength: 4, maxLength: 4}), {minLength: 2, maxLength: 8, size: 'max'}),
      async (head, tails) => {
        // Rows that begin alike, so that changes start behind cells of doubtful width.
        const frames = tails.map(rows => rows.map((tail, index) => (index < 2 ? head + tail : tail)));
        const current = {columns: 24, rows: 4};
        const changed = openEmulator(current.columns, current.rows);
        const repainted = openEmulator(current.columns, current.rows);
        await changed.write(enterScreen);
        await repainted.write(enterScreen);
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
    {numRuns: 300},
  );
});

test('writes only the cells that changed, in their style', () => {
  const {shown} = formatFrameChange(undefined, 'rate \u001b[32m12\u001b[39m per second', {columns: 40, rows: 2});
  const change = formatFrameChange(shown, 'rate \u001b[32m13\u001b[39m per second', {columns: 40, rows: 2});
  expect(change.bytes).toBe('\u001b[1;7H\u001b[32m3\u001b[0m');
});

test('moves rows that are on the screen already and writes only the new one', () => {
  const rows = ['head', ...Array.from({length: 8}, (_, index) => `a line of the log, number ${index}`), 'foot'];
  const {shown} = formatFrameChange(undefined, rows.join('\n'), {columns: 40, rows: 10});
  const next = ['head', ...rows.slice(2, 9), 'the new line', 'foot'];
  expect(formatFrameChange(shown, next.join('\n'), {columns: 40, rows: 10}).bytes).toBe(
    '\u001b[?2026h\u001b[2;9r\u001b[2H\u001b[1M\u001b[r\u001b[9Hthe new line\u001b[?2026l',
  );
});

test('lets nothing but colours through to the terminal', async () => {
  const hostile =
    'a\u001b]0;title\u0007b\u001b]52;c;eA==\u001b\\c\u0007d\u001b[2Je\u009b5nf\u001b[6ng\u001bPq\u001b\\h\rj\u001b[?1049lk';
  const emulator = openEmulator(40, 2);
  await emulator.write(enterScreen + formatFrameChange(undefined, hostile, {columns: 40, rows: 2}).bytes);
  expect(emulator.screenText()[0]).toBe('abcde5nfghjk');
  expect(emulator.events).toEqual({titles: [], bells: [], replies: [], oscs: []});
  expect(emulator.isAltScreenActive()).toBe(true);
});

test('erases what a terminal draws past the width that the layout assumed', async () => {
  // The emulator gives this family three columns; the layout gave it two.
  const emulator = openEmulator(20, 1);
  const first = formatFrameChange(undefined, '👨‍👩‍👧ab', {columns: 20, rows: 1});
  const second = formatFrameChange(first.shown, '👨‍👩‍👧a', {columns: 20, rows: 1});
  await emulator.write(enterScreen + first.bytes);
  expect(
    emulator
      .cells()[0]
      ?.map(({text}) => text)
      .join('')
      .trimEnd(),
  ).toBe('👨‍👩‍ab');
  await emulator.write(second.bytes);
  expect(
    emulator
      .cells()[0]
      ?.map(({text}) => text)
      .join('')
      .trimEnd(),
  ).toBe('👨‍👩‍a');
});

test('spoils no other row where a terminal draws past the edge', async () => {
  const emulator = openEmulator(10, 2);
  const first = formatFrameChange(undefined, 'a\nsecond', {columns: 10, rows: 2});
  const next = formatFrameChange(first.shown, 'aaaaaaaa👨‍👩‍👧\nsecond', {columns: 10, rows: 2});
  await emulator.write(enterScreen + first.bytes + next.bytes);
  expect(emulator.screenText()[1]).toBe('second');
});
