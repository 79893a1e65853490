import {afterEach, beforeEach, expect, test} from 'vitest';
import type {FakeWindow} from '../support/fake-log.ts';
import {makeBuiltBranch, makeLogAnswer} from '../support/fake-records.ts';
import {type SampleService, sampleBranches, startSampleService} from './sample-service.ts';

let service: SampleService;
beforeEach(async () => {
  service = await startSampleService();
});
afterEach(() => service.close());

const stamp = (number: number): string => `2026-11-21T14:00:00.${String(number).padStart(9, '0')}Z line ${number}`;

/** What the service itself counts of the polls it answered. */
type Counts = {polls: number; failed: number; bytes: number; lines: number; new: number; late: number; gaps: number};

/** A window of twenty lines that moves on; once with a late line in it, once past all that was there before. */
const windowAt = (requestNumber: number): FakeWindow => {
  const first = requestNumber * 3 + (requestNumber >= 6 ? 500 : 0);
  const late = requestNumber === 4 || requestNumber === 5 ? ['2026-11-21T14:00:00.000000017Z late'] : [];
  const lines = Array.from({length: 20}, (_, index) => stamp(first + index));
  const after = 18 - first;
  return {lines: [...lines.slice(0, after), ...late, ...lines.slice(after)]};
};

const readNumber = (text: string | undefined): number => Number((text ?? 'none').replaceAll(',', ''));

test('the sums of the poll inspector are what the service counts itself', async () => {
  const countsAfter: Counts[] = [{polls: 0, failed: 0, bytes: 0, lines: 0, new: 0, late: 0, gaps: 0}];
  const served = new Set<string>();
  let fails = false;
  service.setLog('b-master', requestNumber => {
    const {lines} = windowAt(requestNumber);
    const before = countsAfter.at(-1) ?? expect.fail('no counts');
    const fresh = lines.filter(line => !served.has(line));
    countsAfter.push(
      fails
        ? {...before, polls: requestNumber, failed: before.failed + 1}
        : {
            polls: requestNumber,
            failed: before.failed,
            bytes: before.bytes + Buffer.byteLength(JSON.stringify(makeLogAnswer(lines, [{name: 'shop-0'}]))),
            lines: before.lines + lines.length,
            new: before.new + fresh.length,
            late: before.late + fresh.filter(line => line.endsWith('late')).length,
            gaps: before.gaps + (fresh.length === lines.length && served.size > 0 ? 1 : 0),
          },
    );
    for (const line of fails ? [] : lines) {
      served.add(line);
    }
    fails = false;
    return {lines, pods: [{name: 'shop-0'}], header: 'branch'};
  });
  const program = service.open({args: ['shop', 'master'], columns: 120, rows: 24});
  await program.waitFor('live');
  program.press('i');
  const read = (rows: readonly string[]): Counts | undefined => {
    const text = rows.join('\n');
    const sums =
      /in all +([\d,]+) polls +([\d,]+) failed +([\d,]+) lines received +([\d,]+) new +([\d,]+) late +([\d,]+) gap/.exec(
        text,
      );
    const bytes = /([\d,]+) bytes received/.exec(text);
    return sums === null
      ? undefined
      : {
          polls: readNumber(sums[1]),
          failed: readNumber(sums[2]),
          bytes: readNumber(bytes?.[1]),
          lines: readNumber(sums[3]),
          new: readNumber(sums[4]),
          late: readNumber(sums[5]),
          gaps: readNumber(sums[6]),
        };
  };
  const agree =
    (pollCount: number) =>
    (rows: readonly string[]): boolean => {
      const told = read(rows);
      return (
        told !== undefined &&
        told.polls >= pollCount &&
        JSON.stringify(told) === JSON.stringify(countsAfter[told.polls])
      );
    };
  await program.waitFor(agree(2), {what: 'the sums of two polls'});
  fails = true;
  service.failNext({kind: 'status', status: 503}, {operation: 'logs'});
  program.press('r');
  await program.waitFor(rows => (read(rows)?.failed ?? 0) > 0, {what: 'a failed poll'});
  for (let polls = 0; polls < 6; polls += 1) {
    const before = countsAfter.length;
    program.press('r');
    await program.waitFor(agree(before), {what: `the sums of ${before} polls`});
  }
  const last = read(program.screenText());
  expect([last?.failed, last?.late, last?.gaps]).toEqual([1, 1, 1]);
  expect(program.screenText().filter(row => / 503 /.test(row))).toHaveLength(1);
  expect(program.screenText().slice(-5).join('\n')).toMatch(
    /window 20 lines ≈ [\d.]+ m?s, (?:\d+|less than a) polls? a window/,
  );
});

test('a deployment shows at once in the log, with the pod that it brought', async () => {
  const lines = [1, 2, 3].map(stamp);
  service.setLog('b-master', () => ({lines, pods: [{name: 'shop-0'}]}));
  const program = service.open({args: ['shop', 'master'], columns: 120, rows: 24});
  await program.waitFor('line 3');
  const listingsOf = (): number => service.requests.filter(({operation}) => operation === 'branches').length;
  const before = listingsOf();
  service.setBranches('5f3c0a12', [
    makeBuiltBranch('b-master', 'master', {
      status: 'BUILD_APPLICATION_RUNNING',
      lastActivity: {
        _id: 'activity-2',
        action: 'DEPLOY_APPLICATION',
        createdBy: 'user-9',
        status: 'RUNNING',
        updatedAt: '2026-11-21T14:00:00.000Z',
      },
    }),
    ...sampleBranches.slice(2),
  ]);
  service.setLog('b-master', () => ({lines: [...lines, stamp(4)], pods: [{name: 'shop-1'}]}));
  program.press('r');
  const rows = await program.waitFor('status DEPLOY_APPLICATION_SUCCESS → BUILD_APPLICATION_RUNNING');
  expect(rows.join('\n')).toContain('── 14:00:00  DEPLOY_APPLICATION RUNNING by user-9 ──');
  expect(listingsOf()).toBe(before + 1);
  // On the branches screen it is known as well.
  program.press('Esc');
  await program.waitFor(/master +build running/);
});
