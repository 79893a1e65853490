import fc from 'fast-check';
import {createBuffer, type LineBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {formatInstant, type Instant, parseInstant} from '#log/line/instant.ts';
import {hostilePieces} from '../hostile-text.ts';

/** Entries put in one after the other, in any order of time; and the bound under which they are held. */
export type Edits = {
  readonly windows: readonly (readonly {readonly at: number; readonly text: string | undefined}[])[];
  /** Each text stands so many times, so that a few make many chunks. */
  readonly copies: number;
  readonly bytesMax: number;
};

const arbitraryText = fc.oneof(
  fc.constantFrom('GET /a 200', 'GET /b 500', 'ERROR no such thing', '\tat a.b(C.java:1)', '', 'WARN slow', 'error: x'),
  fc.array(fc.constantFrom(...hostilePieces), {maxLength: 5}).map(pieces => pieces.join('')),
  fc.string({unit: 'grapheme', maxLength: 20}),
  fc.nat(300).map(length => 'long '.repeat(length)),
);

export const arbitraryEdits: fc.Arbitrary<Edits> = fc.record({
  windows: fc.array(
    fc.array(
      fc.record({
        at: fc.nat(100),
        // Without a text it is a marker.
        text: fc.option(arbitraryText, {nil: undefined, freq: 12}),
      }),
      {maxLength: 25},
    ),
    {maxLength: 4},
  ),
  copies: fc.constantFrom(1, 20, 200),
  bytesMax: fc.constantFrom(1e9, 1e9, 60_000),
});

export const arbitraryStart: Instant = parseInstant('2026-11-21T14:02:11.000000001Z') ?? 0n;

/** Puts in what came; every seventh line has a timestamp in another form, every eleventh none that can be read. */
export const addWindow = (buffer: LineBuffer, window: Edits['windows'][number], copies: number): LineBuffer => {
  const edit = editBuffer(buffer);
  for (let copy = 0; copy < copies; copy++) {
    for (const {at: seconds, text} of window) {
      const id = edit.takeId();
      const at = arbitraryStart + BigInt(seconds + copy * 40);
      if (text === undefined) {
        edit.insert({kind: 'gap', id, at, after: at, before: at});
        continue;
      }
      const stamp = id % 7 === 0 ? '2026-11-21T14:02:11+00:00 ' : id % 11 === 0 ? '' : `${formatInstant(at)} `;
      edit.insert({kind: 'line', id, at, raw: stamp + text, textIndex: stamp.length, late: id % 5 === 0});
    }
  }
  return edit.finish();
};

export const bufferFrom = ({windows, copies, bytesMax}: Edits): LineBuffer =>
  windows.reduce((buffer, window) => addWindow(buffer, window, copies), createBuffer(bytesMax));
