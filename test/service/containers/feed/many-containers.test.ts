import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {openFeed} from '../../kubernetes/open-feed.ts';

/** A branch of so many containers, each of which has written its name. */
const openMany = (count: number, streamsMax?: number) => {
  const feed = openFeed({...(streamsMax !== undefined && {streamsMax})});
  const names = Array.from({length: count}, (_, index) => `web-${index}`);
  const containers = names.map(name => feed.addContainer(name, {isSeenFromStart: false}));
  for (const [index, container] of containers.entries()) {
    container.write(names[index] ?? '');
  }
  /** Lets the branch follow what it has not followed yet, and read it. */
  const readAll = async (): Promise<void> => {
    for (let slice = 0; slice < count / 50; slice += 1) {
      await setImmediate();
    }
    await feed.advance(5_000);
  };
  return {...feed, containers, names, readAll, places: containers.map(container => container.place())};
};

test('of many containers the first are opened before the last are followed, and all are in the end', async () => {
  const {branch, places, names, readTexts, readAll, warnings} = openMany(120, 119);
  branch.setPlaces(places);
  expect(warnings).toEqual([]);
  await readAll();
  expect(warnings[0]).toContain('No more than 119 containers can be followed at once');
  expect((await readTexts()).toSorted()).toEqual(names.slice(0, 119).toSorted());
});

test('containers that are not followed yet when there is news are none that came late', async () => {
  const {branch, places, names, readStory, readAll} = openMany(120);
  branch.setPlaces(places);
  branch.setPlaces([...places]);
  await readAll();
  expect((await readStory()).toSorted()).toEqual(names.toSorted());
});

test('a pod that is gone before it is followed is read', async () => {
  const {branch, places, names, readTexts, readAll} = openMany(120);
  branch.setPlaces(places);
  branch.setPlaces(places.slice(0, 60));
  await readAll();
  expect((await readTexts()).toSorted()).toEqual(names.toSorted());
});

test('a branch that is closed before all are followed follows no more', async () => {
  const {branch, containers, places, readAll} = openMany(120);
  branch.setPlaces(places);
  await branch.close();
  await readAll();
  expect(containers.at(-1)?.requests).toEqual([]);
});
