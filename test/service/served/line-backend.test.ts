import {expect, onTestFinished, test, vi} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import {createLineBackend} from '#service/served/line-backend.ts';
import type {LineSourceSetup} from '#service/served/line-source.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

/** A source that counts its turns, and has or does not have folders that report its changes. */
const createSource = (hasFolders: boolean) => {
  let turns = 0;
  const setup: LineSourceSetup = {
    kind: 'test',
    open: () => ({
      start: async () => undefined,
      turn: async () => {
        turns += 1;
        return false;
      },
      ...(hasFolders && {folders: () => new Set<string>()}),
      close: async () => undefined,
    }),
  };
  return {setup, turns: () => turns};
};

test('a source whose folders report changes is left alone for ten seconds, any other gets a turn every second', async () => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  onTestFinished(() => void vi.useRealTimers());
  const folder = createTempFolder('backend');
  onTestFinished(() => folder.remove());
  let nowMs = 0;
  const warnings: string[] = [];
  const advance = async (ms: number): Promise<void> => {
    nowMs += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  const [watched, other] = [createSource(true), createSource(false)];
  const backend = createLineBackend({
    sites: [
      {
        id: 's',
        branches: [watched, other].map(({setup}, index) => ({
          id: `${index}`,
          name: `${index}`,
          status: 'UP',
          fields: {},
          pods: [{name: 'web', source: setup}],
        })),
      },
    ],
    windowLines: 10,
    windowPerPod: false,
    stateFolder: folder.path,
    now: () => instantFromMs(0),
    monotonicMs: () => nowMs,
    warn: message => warnings.push(message),
  });
  await backend.start();
  onTestFinished(() => backend.close());
  await advance(1_000);
  const before = [watched.turns(), other.turns()];
  await advance(9_000);
  expect([watched.turns() - (before[0] ?? 0), other.turns() - (before[1] ?? 0)]).toEqual([0, 9]);
  await advance(1_000);
  expect(watched.turns() - (before[0] ?? 0)).toBe(1);
  // This answer comes too early for another scan, which the next turn makes up for.
  await backend.readWindow('s', '0');
  await advance(1_000);
  expect(watched.turns() - (before[0] ?? 0)).toBe(3);
  expect(warnings).toEqual([]);
});
