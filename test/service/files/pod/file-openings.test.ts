import {expect, test} from 'vitest';
import {PathError, replaced} from '#base/system/open-regular.ts';
import {createFileOpenings, createTroubledFiles} from '#service/files/pod/file-openings.ts';

const found = {path: '/log/a.log', device: 1n, inode: 2n, sizeBytes: 3, modifiedMs: 4, bornNs: 5n};

const openWith = async (error: Error) => {
  const troubles = createTroubledFiles(() => 0);
  const warnings: string[] = [];
  const openings = createFileOpenings({
    without: 'pod web is served without it',
    openFile: async () => Promise.reject(error),
    troubles,
    warn: message => warnings.push(message),
  });
  const outcome = await openings.open(found, async () => 'opened' as const);
  return {outcome, warnings, trouble: troubles.find(found)?.why};
};

test('a file that another one replaced while it was opened is no trouble: the next look finds that one', async () => {
  const away = Object.assign(new Error('ENOENT: no such file'), {code: 'ENOENT'});
  const none = {outcome: 'unreadable', warnings: [], trouble: undefined};
  expect(await openWith(away)).toEqual(none);
  expect(await openWith(new Error(`it ${replaced}`, {cause: new PathError(replaced)}))).toEqual(none);
});

test('a file that must not be opened is one, and that is said', async () => {
  const refused = new Error('it lies in no folder that may be read', {cause: new PathError('lies elsewhere')});
  expect(await openWith(refused)).toEqual({
    outcome: 'unreadable',
    warnings: ['/log/a.log cannot be read (it lies in no folder that may be read): pod web is served without it.'],
    trouble: 'it lies in no folder that may be read',
  });
});
