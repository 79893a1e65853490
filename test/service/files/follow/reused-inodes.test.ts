import {copyFileSync, cpSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {numbered, range} from '../follow-log.ts';
import {createLogFolder, readTexts} from '../pod-backend.ts';

/**
 * A log, and a service over it that is killed and started again. An inode that is free is given to the next new file:
 * here a removed file is put aside, and what is made next is written into it.
 */
const createKilledLog = async () => {
  const folder = createLogFolder();
  const at = (name: string): string => join(folder.path, 'log', name);
  const aside = (name: string): string => join(folder.path, name);
  const log = at('a.log');
  let nowMs = 0;
  let written = 0;
  const open = () => folder.open({web: ['a.log']}, {pollIntervalMs: 60_000, monotonicMs: () => nowMs});
  writeFileSync(log, '');
  let backend = await open();
  const shift = (): void => {
    for (const number of [4, 3, 2, 1]) {
      if (existsSync(`${log}.${number}`)) {
        renameSync(`${log}.${number}`, `${log}.${number + 1}`);
      }
    }
  };
  const copyAside = (inodeOf: string | undefined): void => {
    shift();
    if (inodeOf === undefined) {
      copyFileSync(log, `${log}.1`);
    } else {
      writeFileSync(aside(inodeOf), readFileSync(log));
      renameSync(aside(inodeOf), `${log}.1`);
    }
  };
  const place = {
    write: (count: number): void => {
      folder.append('a.log', numbered(written, written + count));
      written += count;
    },
    look: async (): Promise<readonly number[]> => {
      nowMs += 61_000;
      return (await readTexts(backend)).map(text => Number(text.split(' ')[1]));
    },
    losses: async () => (await backend.readWindow('s', 'b'))?.numbering?.losses ?? [],
    /** What a killed process leaves: the state as it is while it is open. */
    kill: async (): Promise<void> => {
      cpSync(join(folder.path, 'state'), aside('copy'), {recursive: true});
      await backend.close();
      rmSync(join(folder.path, 'state'), {recursive: true});
      renameSync(aside('copy'), join(folder.path, 'state'));
    },
    start: async (): Promise<void> => {
      backend = await open();
      await place.look();
    },
    /** `cp a.log a.log.1; rm a.log; touch a.log`: the copy gets a free inode, the new log that of another file. */
    copyAndRemove: ({
      copyIn,
      removedTo,
      newIn,
    }: {
      readonly copyIn?: string;
      readonly removedTo: string;
      readonly newIn?: string;
    }): void => {
      copyAside(copyIn);
      renameSync(log, aside(removedTo));
      if (newIn !== undefined) {
        renameSync(aside(newIn), log);
      }
      writeFileSync(log, '');
    },
    copyAndEmpty: (copyIn?: string): void => {
      copyAside(copyIn);
      truncateSync(log);
    },
    empty: (): void => truncateSync(log),
    rename: (): void => {
      shift();
      renameSync(log, `${log}.1`);
      writeFileSync(log, '');
    },
  };
  return place;
};

test.each([5, 60])(
  'a copy in the inode of a log that was empty is what was read of the log since: %i lines',
  async count => {
    const log = await createKilledLog();
    log.write(5);
    await log.look();
    log.copyAndRemove({removedTo: 'first'});
    await log.kill();
    await log.start();
    log.copyAndRemove({removedTo: 'second'});
    await log.kill();
    await log.start();
    log.write(count);
    await log.look();
    await log.kill();
    log.write(2);
    log.copyAndRemove({copyIn: 'second', removedTo: 'third'});
    log.write(2);
    await log.start();
    expect(await log.look()).toEqual(range(0, count + 9));
    expect(await log.losses()).toEqual([]);
  },
);

test('what is rotated of an emptied log while nobody looks is read', async () => {
  const log = await createKilledLog();
  log.write(5);
  await log.look();
  log.empty();
  await log.look();
  await log.look();
  const before = (await log.losses()).length;
  await log.kill();
  log.write(2);
  log.rename();
  log.write(2);
  log.rename();
  log.write(1);
  await log.start();
  expect(await log.look()).toEqual(range(0, 10));
  expect((await log.losses()).length).toEqual(before);
});

test('a short copy of a removed log is known again after a restart', async () => {
  const log = await createKilledLog();
  log.write(3);
  await log.look();
  log.copyAndRemove({removedTo: 'first'});
  log.write(2);
  await log.look();
  log.copyAndRemove({removedTo: 'second'});
  log.write(2);
  await log.look();
  log.empty();
  await log.look();
  await log.look();
  const before = (await log.losses()).length;
  await log.kill();
  log.write(2);
  log.rename();
  log.write(2);
  log.rename();
  log.write(1);
  await log.start();
  expect(await log.look()).toEqual(range(0, 12));
  expect((await log.losses()).length).toEqual(before);
});

test.each([5, 60])(
  'the rest of a copy is read where the new log is in the inode of one that was empty: after %i lines',
  async count => {
    const log = await createKilledLog();
    log.write(5);
    await log.look();
    log.copyAndRemove({removedTo: 'first'});
    await log.kill();
    await log.start();
    log.copyAndRemove({removedTo: 'second'});
    await log.kill();
    await log.start();
    log.write(count);
    await log.look();
    await log.kill();
    log.write(4);
    log.copyAndRemove({removedTo: 'third', newIn: 'second'});
    log.write(2);
    await log.start();
    expect(await log.look()).toEqual(range(0, count + 11));
    expect(await log.losses()).toEqual([]);
  },
);

test('what is copied of an emptied log while nobody looks is read, though no file before it is known', async () => {
  const log = await createKilledLog();
  log.write(5);
  await log.look();
  log.empty();
  await log.look();
  await log.look();
  const told = (await log.losses()).length;
  await log.kill();
  log.write(2);
  log.copyAndEmpty();
  log.write(2);
  log.copyAndEmpty();
  log.write(1);
  await log.start();
  expect(await log.look()).toEqual(range(0, 10));
  expect(await log.losses()).toHaveLength(told);
});

test('a copy in the inode of a log that was read and removed is that of the log', async () => {
  const log = await createKilledLog();
  log.write(5);
  await log.look();
  log.copyAndRemove({removedTo: 'first'});
  log.write(3);
  await log.look();
  await log.look();
  await log.kill();
  log.write(2);
  log.copyAndEmpty('first');
  log.write(1);
  await log.start();
  expect(await log.look()).toEqual(range(0, 11));
  expect(await log.losses()).toEqual([]);
});
