import {expect, test} from 'vitest';
import {createFrontGate} from '#service/containers/log-lines.ts';

const line = (text: string) => ({stamp: 1n, line: text});

const open = (tailLines: number | undefined) => {
  let cuts = 0;
  const gate = createFrontGate(tailLines, () => {
    cuts += 1;
  });
  return {gate, cutCount: () => cuts};
};

test('a tail of which at most half came is the whole log', () => {
  const {gate, cutCount} = open(4);
  expect(gate.take([line('1'), line('2')])).toEqual([]);
  expect(gate.settle()).toEqual([line('1'), line('2')]);
  expect([gate.isWhole(), cutCount()]).toEqual([true, 0]);
  expect(gate.take([line('3')])).toEqual([line('3')]);
});

test('of a longer one the first line is left out, which may be the rest of one', () => {
  const {gate, cutCount} = open(4);
  gate.take([line('1'), line('2'), line('3')]);
  expect(gate.settle()).toEqual([line('2'), line('3')]);
  expect([gate.isWhole(), cutCount(), gate.settle()]).toEqual([false, 1, []]);
});

test('a full tail passes at once', () => {
  const {gate, cutCount} = open(2);
  expect(gate.take([line('1'), line('2'), line('3')])).toEqual([line('2'), line('3')]);
  expect(cutCount()).toBe(1);
});

test('what is no tail passes', () => {
  const {gate, cutCount} = open(undefined);
  expect(gate.take([line('1')])).toEqual([line('1')]);
  expect([gate.settle(), gate.isWhole(), cutCount()]).toEqual([[], false, 0]);
});
