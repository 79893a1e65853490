import {afterEach, beforeEach, expect, test} from 'vitest';
import type {FakeLog} from '../../support/fake-log.ts';
import {type FakeService, startFakeService} from '../../support/fake-service.ts';
import {createQuickClock} from '../quick-clock.ts';
import {type Ran, runCommand} from '../run-command.ts';

let service: FakeService;

beforeEach(async () => {
  service = await startFakeService();
});

afterEach(() => service.close());

const run = (log: FakeLog, ...flags: readonly string[]): Promise<Ran> => {
  service.setLog('branch-1', log);
  return runCommand(
    ['logs', 'site-1', 'main', '--follow', '--format', 'raw', '--until-gone', 'FATAL', '--interval', '1s', ...flags],
    {env: service.env, clock: createQuickClock(100)},
  );
};

const stamp = (seconds: number): string =>
  `${new Date(Date.UTC(2026, 10, 21, 14) + seconds * 1000).toISOString().replace('Z', '000000Z')}`;

type Written = {readonly pod: 'api-1' | 'web-1'; readonly text: string; readonly behind?: number};

/** Each answer has all lines so far, numbered and with their pods, unless `more` says other things. */
const numbered =
  (
    writes: (answer: number) => readonly Written[],
    more: (answer: number) => {lines?: string[]; isDropped?: boolean} = () => ({}),
  ): FakeLog =>
  answer => {
    const all = Array.from({length: answer}, (_, index) =>
      writes(index + 1).map(({pod, text, behind = 0}, place) => ({
        raw: `${stamp(index + 1 + place / 10 - behind)} ${text} ${index}`,
        source: pod === 'api-1' ? 0 : 1,
      })),
    ).flat();
    const {isDropped = false} = more(answer);
    return {
      lines: all.filter(({raw}) => !isDropped || !raw.includes('FATAL')).map(({raw}) => raw),
      pods: [{name: 'api-1'}, {name: 'web-1'}],
      more: isDropped
        ? {}
        : {
            branchlog: {
              ...{series: 's', first: 1, losses: []},
              runs: all.map(({source}) => [source, 1]),
              sources: [{pod: 'api-1'}, {pod: 'web-1'}],
            },
          },
    };
  };

const fine: Written = {pod: 'web-1', text: 'INFO page served'};
const own: Written = {pod: 'api-1', text: 'INFO order stored'};
const fatal: Written = {pod: 'api-1', text: 'FATAL cannot charge'};

test('a pod whose clock is two minutes behind and that writes a FATAL now and then still does', async () => {
  // Held are lines of the last minutes, by the clock of the service, too.
  service.setDate(new Date(Date.UTC(2026, 10, 21, 14, 5)).toUTCString());
  const others = [
    {...own, behind: 120 - 299},
    {...fine, behind: -299},
  ];
  const log = numbered(answer => [
    ...(answer === 1 ? [{...fine, behind: 300}] : []),
    ...(answer % 4 === 1 ? [{...fatal, behind: 120 - 299}] : []),
    ...others,
  ]);
  expect(await run(log, '--for', '10s', '--duration', '20s')).toMatchObject({
    code: 8,
    stderr: expect.stringContaining('lines still match --until-gone'),
  });
});

test('a proxy that drops the numbers of one answer, and FATALs with them, leaves nobody able to tell', async () => {
  const log = numbered(
    answer => (answer === 1 ? [fatal, fine] : answer === 4 ? [own, fine, ...Array(20).fill(fatal)] : [own, fine]),
    answer => ({isDropped: answer >= 4}),
  );
  const {code, stderr} = await run(log, '--for', '10s', '--duration', '40s');
  expect([code, stderr]).toEqual([7, expect.stringContaining('cannot tell whether it stopped: ')]);
});

test('one answer without numbers is enough for that', async () => {
  const log = numbered(
    answer => (answer === 1 ? [fatal, fine] : [own, fine]),
    answer => ({isDropped: answer === 4}),
  );
  expect(await run(log, '--for', '10s', '--duration', '40s')).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('not every response'),
  });
});

test('so does a pod that is listed and no longer served', async () => {
  const log = numbered(answer => (answer === 1 ? [fatal, own, fine] : answer < 6 ? [own, fine] : [fine]));
  expect(await run(log, '--for', '10s', '--duration', '40s')).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('cannot tell whether it stopped: nothing was written by api-1'),
  });
});

test('what its pod stops writing is gone, once the pod wrote on for the time', async () => {
  const log = numbered(answer => (answer < 4 ? [fatal, own, fine] : [own, fine]));
  expect(await run(log, '--for', '10s', '--duration', '60s')).toMatchObject({code: 0, stderr: ''});
});
