import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {createSay} from '#cli/io/io.ts';
import {loadPart} from '#cli/io/load-part.ts';
import {describeNotLines, describeSkipped, saySkipped} from '#cli/io/output.ts';

test('a sentence is a line of standard error with the name of the program, and safe to draw', () => {
  const stderr = new PassThrough({encoding: 'utf8'});
  createSay(stderr)('pod \u001b[31mweb\u0007 is gone');
  expect(stderr.read()).toBe('branchlog: pod web␇ is gone\n');
});

test('a closed standard error ends nothing', () => {
  const stderr = new PassThrough();
  createSay(stderr);
  expect(stderr.emit('error', new Error('closed'))).toBe(true);
});

test('items that are no lines are counted, and the first one is named by its place', () => {
  expect(describeNotLines()).toBeUndefined();
  expect(describeNotLines([])).toBeUndefined();
  expect(describeNotLines([4, 9])).toMatch(/^2 .*\(the first is data\[4\] of the response\)$/);
});

test('parts of a response that were left out are counted, and the first one is named', () => {
  expect(describeSkipped([])).toBeUndefined();
  expect(describeSkipped(['data[0].name'])).toBe(
    'ignored 1 part of the response that does not match the interface; the first is data[0].name',
  );
  expect(describeSkipped(['data[2]', 'data[5]'])).toBe(
    'ignored 2 parts of the response that do not match the interface; the first is data[2]',
  );
});

test('only what was left out is said', () => {
  const said: string[] = [];
  saySkipped([], sentence => said.push(sentence));
  expect(said).toEqual([]);
  saySkipped(['data[1]'], sentence => said.push(sentence));
  expect(said).toEqual(['ignored 1 part of the response that does not match the interface; the first is data[1]']);
});

test('a part whose file is gone asks for a new start; other faults stay as they are', async () => {
  await expect(loadPart(async () => 'part')).resolves.toBe('part');
  const gone = Object.assign(new Error('no file'), {code: 'ERR_MODULE_NOT_FOUND'});
  await expect(loadPart(() => Promise.reject(gone))).rejects.toThrow(/was replaced on disk: quit and start it again/);
  const broken = Object.assign(new Error('went wrong'), {code: 'ERR_OTHER'});
  await expect(loadPart(() => Promise.reject(broken))).rejects.toBe(broken);
});
