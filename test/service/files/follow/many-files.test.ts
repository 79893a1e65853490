import {mkdirSync, renameSync, utimesSync} from 'node:fs';
import {expect, test} from 'vitest';
import {isThorough} from '../../../support/thorough.ts';
import {openStepwise} from './open-stepwise.ts';

test('of more files than it follows it takes those that were written last, and others as they are written', async () => {
  const {folder, path, open} = await openStepwise({web: ['many/*.log']}, 3000);
  mkdirSync(path('many'));
  const name = (index: number): string => `many/${String(index).padStart(4, '0')}.log`;
  for (let index = 0; index < 1100; index += 1) {
    folder.append(name(index), `old ${index}\n`);
    utimesSync(path(name(index)), 1_700_000_000 + index, 1_700_000_000 + index);
  }
  const service = await open();
  const before = await service.opened(1024);
  expect([before.length, before.includes('old 1099')]).toEqual([1024, true]);
  // None of these is followed.
  for (let index = 0; index < 40; index += 1) {
    folder.append(name(index), `new ${index}\n`);
  }
  await service.look();
  await service.look();
  const after = (await service.look()).filter(text => text.startsWith('new'));
  expect(after.toSorted()).toEqual(Array.from({length: 40}, (_, index) => `new ${index}`).toSorted());
  // Those that had to go for them go on where they were left.
  for (let index = 0; index < 1100; index += 1) {
    folder.append(name(index), `again ${index}\n`);
  }
  const seen = new Set<string>();
  for (let look = 0; look < 4; look += 1) {
    const all = await service.look();
    expect(new Set(all).size).toBe(all.length);
    for (const text of all) {
      seen.add(text);
    }
  }
  expect([...seen].filter(text => text.startsWith('again'))).toHaveLength(1100);
  expect(folder.warnings).toEqual([
    'web has 1100 files: only 1024 are followed at a time, the other 76 once they are written again.',
  ]);
});

test('empty files hold no place', async () => {
  const {folder, path, open} = await openStepwise({web: ['many/*.log']});
  mkdirSync(path('many'));
  for (let index = 0; index < 1500; index += 1) {
    folder.append(`many/${index}.log`, '');
  }
  const service = await open();
  await service.look();
  for (let index = 0; index < 1500; index += 5) {
    folder.append(`many/${index}.log`, `line ${index}\n`);
  }
  await service.look();
  await service.look();
  expect(new Set(await service.look()).size).toBe(300);
});

test('reads all of hundreds of files at once that were rotated twice and written again', async () => {
  const {folder, path, open} = await openStepwise({web: ['many/*.log']}, 3000);
  mkdirSync(path('many'));
  // Three generations of them are more than are followed at a time.
  const count = isThorough ? 800 : 400;
  const writeAll = (round: number): void => {
    for (let index = 0; index < count; index += 1) {
      for (let turn = round; turn > 0; turn -= 1) {
        renameSync(path(`many/${index}.log${turn > 1 ? `.${turn - 1}` : ''}`), path(`many/${index}.log.${turn}`));
      }
      folder.append(`many/${index}.log`, `round ${round} of ${index}\n`);
    }
  };
  writeAll(0);
  const service = await open();
  await service.opened(count);
  for (const round of [1, 2]) {
    writeAll(round);
    // The rotated files are still open: they were not quiet for long enough.
    await service.look();
    expect(new Set(await service.opened(count * (round + 1))).size).toBe(count * (round + 1));
  }
});
