import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type LineBuffer, sliceEntries} from '#log/buffer/buffer.ts';
import {selectEntries} from '#log/buffer/select-entries.ts';
import {type Entry, textOf} from '#log/line/entry.ts';
import {countErrorsFrom, findError} from '#log/overview/find-in-log.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {mergeBuffers, mergeLists} from '#log/view/log-view.ts';
import {runsOf} from '../../support/thorough.ts';
import {isErrorText} from '../line-alone.ts';
import {arbitraryEdits, bufferFrom} from '../pattern/arbitrary-buffer.ts';

const isError = (entry: Entry): boolean => entry.kind === 'line' && isErrorText(textOf(entry));

const isWarning = (entry: Entry): boolean =>
  entry.kind === 'line' && levelRank(levelOf(textOf(entry))) >= levelRank('warn');

const filterBuffer = (buffer: LineBuffer, holds: (entry: Entry) => boolean) =>
  selectEntries(
    buffer,
    buffer.chunks.map((chunk, index) =>
      Uint16Array.from(
        sliceEntries(buffer, buffer.starts[index] ?? 0, chunk.entryCount).flatMap((entry, offset) =>
          holds(entry) ? [offset] : [],
        ),
      ),
    ),
  );

test('the nearest error on either side is the one that reading every entry in view finds', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryEdits, {minLength: 1, maxLength: 3}),
      fc.constantFrom(1, 2, 3),
      fc.nat(1000),
      (branches, everyNth, from) => {
        const buffers = branches.map(bufferFrom);
        const view =
          everyNth === 1
            ? mergeBuffers(buffers)
            : mergeLists(buffers.map(buffer => filterBuffer(buffer, ({id}) => id % everyNth === 0)));
        const errors = view.slice(0, view.entryCount).flatMap(({entry}, index) => (isError(entry) ? [index] : []));
        for (const fromIndex of [-1, from % (view.entryCount + 1), view.entryCount]) {
          expect(findError(view, {fromIndex, direction: 'next'})).toBe(errors.find(index => index > fromIndex));
          expect(findError(view, {fromIndex, direction: 'previous'})).toBe(errors.findLast(index => index < fromIndex));
        }
      },
    ),
    {numRuns: runsOf(120)},
  );
});

test('lines of level warn or worse are found in the same way', () => {
  fc.assert(
    fc.property(arbitraryEdits, fc.nat(1000), (edits, from) => {
      const view = mergeBuffers([bufferFrom(edits)]);
      const fromIndex = from % (view.entryCount + 1);
      const found = view.slice(0, view.entryCount).flatMap(({entry}, index) => (isWarning(entry) ? [index] : []));
      const search = {fromIndex, levelMin: 'warn'} as const;
      expect(findError(view, {...search, direction: 'next'})).toBe(found.find(index => index > fromIndex));
      expect(findError(view, {...search, direction: 'previous'})).toBe(found.findLast(index => index < fromIndex));
    }),
    {numRuns: runsOf(120)},
  );
});

test('errors are counted from any index on', () => {
  fc.assert(
    fc.property(arbitraryEdits, fc.nat(1000), (edits, from) => {
      const buffer = bufferFrom(edits);
      const fromIndex = from % (buffer.entryCount + 2);
      const rest = sliceEntries(buffer, fromIndex, buffer.entryCount);
      expect(countErrorsFrom(buffer, fromIndex)).toBe(rest.filter(isError).length);
    }),
    {numRuns: runsOf(120)},
  );
});
