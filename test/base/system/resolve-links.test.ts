import {symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {resolveLinks} from '#base/system/open-regular.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const open = () => {
  const folder = createTempFolder('links');
  onTestFinished(folder.remove);
  return (name: string): string => join(folder.path, name);
};

test('forty links that lead to each other are followed, as the kernel does, and no more', async () => {
  const at = open();
  writeFileSync(at('0'), '');
  for (let index = 1; index <= 41; index += 1) {
    symlinkSync(`${index - 1}`, at(`${index}`));
  }
  const {realPath, links} = await resolveLinks(at('40'));
  expect([realPath, links.length]).toEqual([at('0'), 40]);
  await expect(resolveLinks(at('41'))).rejects.toThrow('is a link that leads nowhere');
});

test('a link that leads to itself leads nowhere', async () => {
  const at = open();
  symlinkSync('self', at('self'));
  await expect(resolveLinks(at('self'))).rejects.toThrow('is a link that leads nowhere');
});
