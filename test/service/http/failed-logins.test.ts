import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createFailedLogins} from '#service/http/connections.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const create = () => {
  const warnings: string[] = [];
  const time = {ms: 0};
  const logins = createFailedLogins({warn: message => warnings.push(message), monotonicMs: () => time.ms});
  return {
    logins,
    warnings,
    time,
    note: (address: string, count = 1) => Array.from({length: count}, () => logins.note(address)),
  };
};

test('the first five refusals of an address are not slowed, the next ones twice as long each, up to four seconds', () => {
  const {note} = create();
  expect(note('10.0.0.1', 12)).toEqual([0, 0, 0, 0, 0, 250, 500, 1000, 2000, 4000, 4000, 4000]);
  expect(note('10.0.0.2')).toEqual([0]);
});

test('addresses of one IPv6 network count as one, and those of another on their own', () => {
  const {note} = create();
  note('2001:db8:1:2::1', 3);
  note('2001:db8:1:2:ffff::2', 2);
  expect(note('2001:db8:1:2::3')).toEqual([250]);
  expect(note('2001:db8:1:3::1')).toEqual([0]);
});

test('ten quiet minutes are forgiven', () => {
  const {note, time} = create();
  note('10.0.0.1', 9);
  time.ms = 10 * 60_000 - 1;
  expect(note('10.0.0.1')).toEqual([4000]);
  time.ms += 10 * 60_000;
  expect(note('10.0.0.1')).toEqual([0]);
});

test('remembers a bounded number of addresses, those that failed last', () => {
  const {note} = create();
  note('10.0.0.1', 9);
  note('10.0.0.2', 9);
  for (let index = 0; index < 1_023; index += 1) {
    note(`10.1.${index >> 8}.${index & 255}`);
  }
  expect(note('10.0.0.2')).toEqual([4000]);
  expect(note('10.0.0.1')).toEqual([0]);
});

test('tells the first one at once, and then at most one sentence a minute', () => {
  const {note, warnings} = create();
  note('10.0.0.1', 40);
  note('10.0.0.2', 2);
  const first = 'A request from 10.0.0.1 was refused: its token is not one of this service.';
  expect(warnings).toEqual([first]);
  vi.advanceTimersByTime(60_000);
  const second = '41 more requests with a wrong token were refused in the last minute, most from 10.0.0.1 (39).';
  expect(warnings).toEqual([first, second]);
  note('10.0.0.2', 3);
  vi.advanceTimersByTime(60_000);
  const third = '3 more requests with a wrong token were refused in the last minute, most from 10.0.0.2 (3).';
  expect(warnings).toEqual([first, second, third]);
  vi.advanceTimersByTime(120_000);
  note('10.0.0.3');
  const fourth = 'A request from 10.0.0.3 was refused: its token is not one of this service.';
  expect(warnings).toEqual([first, second, third, fourth]);
});

test('tells what is left when it stops', () => {
  const {logins, note, warnings} = create();
  note('10.0.0.1', 3);
  logins.stop();
  expect(warnings.at(-1)).toBe(
    '2 more requests with a wrong token were refused in the last minute, most from 10.0.0.1 (2).',
  );
  expect(vi.getTimerCount()).toBe(0);
});
