import {expect, test} from 'vitest';
import {createWindowBodies} from '#service/http/body/window-bodies.ts';
import {sliceWindow} from '#service/http/body/window-slices.ts';

const list = <Item>(size: number, itemOf: (index: number) => Item): readonly Item[] =>
  Array.from({length: size}, (_, index) => itemOf(index));

const behind = {hasPlace: true, hasPods: true};
const windowOf = (lines: readonly string[]) => ({
  pods: [],
  lines,
  numbering: {series: 'a', first: 1, runs: [[0, lines.length]] as const, sources: [{pod: 'web'}], losses: []},
});

/** Whether the short answer of the first of so many branches is still kept. */
const keepsAnswer = async (count: number): Promise<boolean> => {
  const bodies = createWindowBodies('s');
  const window = windowOf(['one']);
  const first = await bodies.get('0', window, 'gzip', behind);
  for (let index = 1; index < count; index += 1) {
    await bodies.get(`${index}`, window, 'gzip', behind);
  }
  return (await bodies.get('0', window, 'gzip', behind)) === first;
};

// What is read at a bound, and one beyond it.
test.each<readonly [bound: string, read: (size: number) => unknown, at: number, within: unknown, beyond: unknown]>([
  ['short answers that are kept', keepsAnswer, 256, true, false],
  [
    'characters of an answer that is not packed',
    async size => (await createWindowBodies('s').get('b', windowOf(['x'.repeat(size)]), 'gzip', behind)).coding,
    2048,
    'identity',
    undefined,
  ],
  ['lines of a slice of an answer', size => sliceWindow(list(size, String), []).length, 4_096, 8, 9],
  [
    'characters of a slice of an answer',
    size => sliceWindow(['x'.repeat(size - 1), 'y', 'z'], []).length,
    262_143,
    1,
    2,
  ],
])('%s', async (_, read, at, within, beyond) => {
  expect([await read(at), await read(at + 1)]).toEqual([within, beyond]);
});
