import fc from 'fast-check';
import {expect, test} from 'vitest';
import {addedEntries} from '#log/buffer/added-entries.ts';
import {sliceEntries} from '#log/buffer/buffer.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {runsOf} from '../../support/thorough.ts';

const line = (second: number, text: string): string =>
  `2026-11-21T14:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}.000000000Z ${text}`;

test('what a window brought is found again by comparing the buffers, whatever came late and however much was packed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat(3599), {maxLength: 700}), {minLength: 1, maxLength: 8}),
      fc.boolean(),
      (windows, changesPods) => {
        let log = createBranchLog(10_000_000);
        for (const [index, seconds] of windows.entries()) {
          const lines = seconds.toSorted((a, b) => a - b).map(second => line(second, `text ${second % 7}`));
          const pods = [
            {name: changesPods ? `web-${index}` : 'web-0', resourceVersion: '1', metadata: {}, createdAt: undefined},
          ];
          const taken = takeWindow(log, {lines, pods});
          const {buffer} = taken.log;
          const found = addedEntries(log.buffer, buffer);
          // A gap that grows was there before.
          const added = taken.added.filter(entry => entry.kind !== 'gap' || entry.grows !== true);
          expect(found.toSorted((a, b) => a.id - b.id)).toEqual(added.toSorted((a, b) => a.id - b.id));
          expect(found).toEqual(sliceEntries(buffer, 0, buffer.entryCount).filter(({id}) => id >= log.buffer.nextId));
          log = taken.log;
        }
      },
    ),
    {numRuns: runsOf(120)},
  );
});

test('nothing was added where the buffer is the same', () => {
  const {log} = takeWindow(createBranchLog(1_000_000), {lines: [line(1, 'one')], pods: []});
  expect(addedEntries(log.buffer, log.buffer)).toEqual([]);
});
