import fc from 'fast-check';
import {type Piece, paintPieces} from './frame-model.ts';
import {anyRow} from './frame-words.ts';
import type {Stage} from './stage.ts';

export type Frame = {
  readonly rows: readonly (readonly Piece[])[];
  /** From which row to which the rows go past Ink. */
  readonly block: readonly [start: number, end: number] | undefined;
};

export type Step =
  | {readonly kind: 'frame'; readonly rows: Frame['rows']; readonly block: Frame['block']}
  | {readonly kind: 'shift'; readonly by: number; readonly from: number; readonly fresh: readonly Piece[]}
  | {readonly kind: 'edit'; readonly at: number; readonly row: readonly Piece[]}
  | {readonly kind: 'resize'; readonly columns: number; readonly rows: number}
  | {readonly kind: 'suspend' | 'reset' | 'stall'};

export const anyBlock = fc.option(
  fc.tuple(fc.nat(6), fc.nat(8)).map(([start, length]) => [start, start + length] as const),
  {nil: undefined},
);
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('frame' as const),
      rows: fc.array(anyRow, {maxLength: 14}),
      block: anyBlock,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('shift' as const),
      by: fc.integer({min: -5, max: 5}),
      from: fc.integer({min: 0, max: 4}),
      fresh: anyRow,
    }),
  },
  {weight: 3, arbitrary: fc.record({kind: fc.constant('edit' as const), at: fc.nat(11), row: anyRow})},
  // The emulator has at least two columns.
  fc.record({
    kind: fc.constant('resize' as const),
    columns: fc.integer({min: 2, max: 40}),
    rows: fc.integer({min: 1, max: 12}),
  }),
  fc.record({kind: fc.constantFrom('suspend', 'reset', 'stall')}),
);

/** The frame after a step. */
export const takeStep = (frame: Frame, change: Step): Frame => {
  switch (change.kind) {
    case 'frame':
      return change;
    case 'shift': {
      const {by, from, fresh} = change;
      const head = frame.rows.slice(0, from);
      const body = frame.rows.slice(from);
      const fill = Array<readonly Piece[]>(Math.abs(by)).fill(fresh);
      const rows =
        by > 0 ? [...head, ...body.slice(by), ...fill] : [...head, ...fill, ...body.slice(0, body.length + by)];
      return {...frame, rows};
    }
    case 'edit':
      return {...frame, rows: frame.rows.map((row, index) => (index === change.at ? change.row : row))};
    default:
      return frame;
  }
};

/** Hands a frame over as the screens do: some of its rows past Ink. */
export const handOver = ({screen}: Stage, frame: Frame): void => {
  const rows = frame.rows.map(paintPieces);
  const [start, end] = frame.block ?? [0, 0];
  const passed = rows.slice(start, end);
  const ink = frame.block && passed.length > 0 ? [...rows.slice(0, start), ' ', ...rows.slice(end)] : rows;
  // A frame of no text cannot be told from Ink's other writes.
  screen.stream.write(ink.join('') === '' ? ` ${ink.join('\n')}` : ink.join('\n'));
  screen.putRows(passed.length > 0 ? {rowIndex: start, rows: passed} : undefined);
};
