import {expect, test} from 'vitest';
import {StateError} from '#service/backend/errors.ts';
import {withState} from '#service/window/state/with-state.ts';

const withFields = (message: string, fields: object): Error => Object.assign(new Error(message), fields);

test.each<readonly [what: string, error: unknown, fault: string, words: string]>([
  ['no room', withFields('x', {code: 'ENOSPC', syscall: 'open'}), 'unwritable', 'the disk is full'],
  ['a quota', withFields('x', {code: 'EDQUOT', syscall: 'open'}), 'unwritable', 'the disk is full'],
  ['a limit of size', withFields('x', {code: 'EFBIG', syscall: 'write'}), 'unwritable', 'the disk is full'],
  ['no right', withFields('EACCES: no right, open', {code: 'EACCES', syscall: 'open'}), 'unwritable', 'no right'],
  [
    'a read-only disk',
    withFields('EROFS: only read, open', {code: 'EROFS', syscall: 'open'}),
    'unwritable',
    'only read',
  ],
  ['SQLite: full', withFields('x', {errcode: 13}), 'unwritable', 'the disk is full'],
  ['SQLite: no write', withFields('x', {errcode: 10}), 'unwritable', 'the disk is full'],
  ['SQLite: no write, with more in its upper bits', withFields('x', {errcode: 778}), 'unwritable', 'the disk is full'],
  ['SQLite: read-only', withFields('only read', {errcode: 8}), 'unwritable', 'only read'],
  ['SQLite: malformed', withFields('malformed', {errcode: 11}), 'damaged', 'malformed'],
  ['SQLite: no such table', withFields('no table', {errcode: 1}), 'damaged', 'no table'],
  ['a value that cannot be read', new SyntaxError('no JSON'), 'damaged', 'no JSON'],
])('of a state, %s is told', (_, error, fault, words) => {
  const thrown = (() => {
    try {
      return withState('/state', () => {
        throw error;
      });
    } catch (caught) {
      return caught;
    }
  })();
  expect(thrown).toBeInstanceOf(StateError);
  expect(thrown).toMatchObject({fault, message: words, cause: error});
});

test('what was done is answered, and what said why itself is passed on', () => {
  expect(withState('/state', () => 7)).toBe(7);
  const own = new StateError('busy', 'in use');
  expect(() =>
    withState('/state', () => {
      throw own;
    }),
  ).toThrow(own);
});
