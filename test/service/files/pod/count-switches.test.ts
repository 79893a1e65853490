import {expect, test} from 'vitest';
import {countSwitches} from '#service/files/pod/switched-links.ts';

const count = (...names: readonly string[]): Promise<number | undefined> =>
  countSwitches(async () => names, ['/logs/a.log']);

test.each<readonly [what: string, names: readonly string[], switches: number]>([
  ['nothing happened', [], 0],
  ['other names only', ['b.log', 'a.log.1'], 0],
  ['the name was given once', ['a.log'], 1],
  ['a name that goes and comes back is one', ['a.log', 'a.log'], 1],
  ['also with rotated names between', ['a.log', 'a.log.1', 'a.log.2', 'a.log'], 1],
  ['another name between may be where it went', ['a.log', 'new.log', 'a.log'], 2],
  ['two that go and come back are two', ['a.log', 'a.log', 'a.log', 'a.log'], 2],
  ['one that goes and comes back, and once more', ['a.log', 'a.log.1', 'a.log', 'a.log'], 2],
  ['moved there twice', ['x', 'a.log', 'y', 'a.log'], 2],
])('how often a name was given to another file: %s', async (_, names, switches) => {
  expect(await count(...names)).toBe(switches);
});

test('the names of several folders count together, and one that is not known makes all unknown', async () => {
  const asked: string[] = [];
  const names: Readonly<Record<string, readonly string[]>> = {'/logs': ['a.log'], '/data': ['b.log', 'x', 'b.log']};
  const since = async (folder: string) => {
    asked.push(folder);
    return names[folder];
  };
  expect(await countSwitches(since, ['/logs/a.log', '/data/b.log'])).toBe(3);
  expect(asked).toEqual(['/logs', '/data']);
  expect(await countSwitches(since, ['/logs/a.log', '/gone/b.log'])).toBeUndefined();
  expect(await countSwitches(undefined, ['/logs/a.log'])).toBeUndefined();
  expect(await countSwitches(undefined, [])).toBe(0);
});
