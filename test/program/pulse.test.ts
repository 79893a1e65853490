import {afterEach, beforeEach, expect, test} from 'vitest';
import {waitFor} from '../support/wait-for.ts';
import {expectGolden} from './expect-golden.ts';
import {type SampleService, startSampleService} from './sample-service.ts';

let service: SampleService;
beforeEach(async () => {
  service = await startSampleService({pulse: '100ms'});
});
afterEach(() => service.close());

const line = (clock: string, text: string): string => `2026-11-21T${clock}Z ${text}`;
const times = (count: number, clock: string, text: string): readonly string[] =>
  Array.from({length: count}, () => line(clock, text));

/** The service's clock stands at 14:12:00. */
const setLogs = (): void => {
  service.setLog('b-master', () => ({
    lines: [
      line('14:06:00.000000000', 'GET / 200'),
      ...times(2, '14:10:30.000000000', 'ERROR tax service rejected quote'),
      ...times(196, '14:11:50.000000000', 'ERROR payment gateway timed out order=26788'),
      line('14:12:00.500000000', 'GET /cart 200'),
    ],
  }));
  service.setLog('b-checkout', () => ({
    lines: [line('14:02:00.000000000', 'worker started'), line('14:12:00.500000000', 'worker is idle')],
  }));
  service.setLog('b-long', () => ({
    lines: times(31, '14:11:50.500000000', 'ERROR no stock').concat(line('14:12:00.500000000', 'GET / 200')),
  }));
};

const looks = (): number => service.requests.filter(({operation}) => operation === 'logs').length;

const isLookedAt = (screen: readonly string[]): boolean =>
  /▸ ✗ staging/.test(screen.join('\n')) && !/not checked/.test(screen.join('\n'));

test('the list tells errors a minute of each branch whose log was checked', async () => {
  setLogs();
  const program = service.open({args: ['shop']});
  // Where there is no room for it, only the requests tell.
  await waitFor(() => looks() >= 3, {what: 'three looks'});
  await expectGolden(program, 'branches-pulse-80x24', isLookedAt);
  for (const [columns, rows] of [
    [200, 50],
    [40, 10],
  ] as const) {
    program.resize(columns, rows);
    await expectGolden(program, `branches-pulse-${columns}x${rows}`, isLookedAt);
  }
});

test('a screen reader hears the rate in words, once asked for the branch', async () => {
  setLogs();
  const program = service.open({args: ['--screen-reader', 'shop']});
  await waitFor(() => looks() >= 3, {what: 'three looks'});
  expect(program.output()).not.toContain('196');
  program.press('j', 'j', 'j');
  await program.waitFor(() => program.output().includes('master, deployed, 196 errors a minute, rising'));
  program.press('j');
  await program.waitFor(() => program.output().includes('feature/checkout, deployed, no errors'));
});
