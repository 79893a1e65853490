import {describe, expect, test} from 'vitest';
import {pulseLook} from '#app/lists/branch-columns.ts';
import {nextProbe, takeProbe} from '#app/lists/update-probes.ts';
import type {KnownPulse} from '#app/tail/known-pulse.ts';
import {type Pulse, pulseMinuteMs, pulseMinutesMax} from '#log/overview/pulse.ts';
import {answer, windowOf} from '../../support/play.ts';

const lastMinute = 29_000_000;
const pulseOf = (change: Partial<Pulse> = {}): Pulse =>
  ({
    ...{errors: 0, lines: 10, spanMs: pulseMinuteMs, toMs: lastMinute * pulseMinuteMs, minutes: []},
    ...change,
  }) as never;
const known = (change: Partial<Pulse> = {}, of: Partial<KnownPulse> = {}): KnownPulse =>
  ({pulse: pulseOf(change), countedAtMs: 1000, probedAtMs: 1000, ...of}) as never;
const words = (change: Partial<Pulse>): string => pulseLook(known(change), 1000).words;

describe('the pulse of a branch in words', () => {
  test('is a rate a minute, or for the time that was seen', () => {
    expect(words({errors: 0})).toBe('');
    expect(words({errors: 9_999})).toBe('9,999/min');
    expect(words({errors: 10_000})).toBe('10k/min');
    expect(words({errors: 1_234_567})).toBe('1,234k/min');
    expect(words({errors: 3, spanMs: 59_999})).toBe('3/59 s');
    expect(words({errors: 3, spanMs: 10})).toBe('3/1 s');
    expect(words({spanMs: 0, lines: 0})).toBe('no lines');
    expect(words({spanMs: 0, lines: 5})).toBe('no times');
  });

  test('is said in full to who hears it', () => {
    const spoken = (change: Partial<Pulse>): string => pulseLook(known(change), 1000).spoken;
    expect(spoken({errors: 0})).toBe('no errors');
    expect(spoken({errors: 5})).toMatch(/^5 errors a minute/);
    expect(spoken({errors: 5, spanMs: 10_000})).toMatch(/^5 errors in 10 s/);
  });

  test('is its age once it is two minutes old', () => {
    const at = (nowMs: number) => pulseLook(known({errors: 5}), nowMs);
    expect(at(1000 + 119_999)).toMatchObject({words: '5/min', tone: 'bad'});
    expect(at(1000 + 120_000)).toMatchObject({words: '2 min ago', tone: 'dim', spoken: 'checked 2 min ago'});
    expect(at(0).words).toBe('5/min');
    expect(pulseLook(undefined, 1000)).toMatchObject({words: 'not checked', spoken: 'not checked', tone: 'dim'});
  });

  test('is why nobody could look', () => {
    const failed = (errorKind: string, status?: number) =>
      pulseLook(known({}, {failure: {errorKind, status, message: 'x'} as never}), 1000);
    expect(failed('timeout')).toMatchObject({words: 'timed out', spoken: 'check failed: timed out', tone: 'busy'});
    expect(failed('forbidden', 403).words).toBe('refused 403');
    expect(failed('server', 500).words).toBe('failed 500');
  });

  test('has a block a minute, the current one last', () => {
    const strip = (ageMs: number, ...errors: readonly number[]): string =>
      pulseLook(
        known({minutes: errors.map((count, index) => ({minute: lastMinute - index, errors: count})) as never}),
        1000 + ageMs,
      ).strip;
    const unseen = (count: number): string => '·'.repeat(pulseMinutesMax - count);
    expect(strip(0, 0, 1, 2)).toBe(`${unseen(3)}▂▂▁`);
    expect(strip(0, 3, 9, 10)).toBe(`${unseen(3)}▄▃▃`);
    expect(strip(0, 30, 100, 300)).toBe(`${unseen(3)}▇▆▅`);
    expect(strip(0, 999, 1000, 5000)).toBe(`${unseen(3)}██▇`);
    expect(strip(60_000, 0)).toBe(`${unseen(2)}▁·`);
    expect(pulseLook(undefined, 0).strip).toBe(unseen(0));
  });
});

test('of two branches that are due, that on the screen comes first; of those that are not, the one that is sooner', () => {
  const pulses = (shown: number, other: number) =>
    new Map([
      ['shown', known({}, {probedAtMs: shown})],
      ['other', known({}, {probedAtMs: other})],
    ]);
  const next = (shown: number, other: number, nowMs: number) =>
    nextProbe({shown: ['shown'], others: ['other']}, pulses(shown, other), {nowMs, intervalMs: 1000});
  // Those on the screen are looked at every 10 s, others every 30 s.
  expect(next(20_000, 0, 30_000)).toEqual({branchId: 'shown', dueAtMs: 30_000});
  expect(next(21_000, 0, 30_000)).toEqual({branchId: 'other', dueAtMs: 30_000});
  expect(next(20_000, 0, 29_999)).toEqual({branchId: 'shown', dueAtMs: 30_000});
});

test('a look is of all branches if that is wanted and the service can, else of one', async () => {
  const value = new Map([['b', pulseOf()]]);
  const client = (canCount: boolean) =>
    ({
      countErrors: () => (canCount ? Promise.resolve(answer(value)) : undefined),
      probeLog: async () => windowOf(1, 2),
    }) as never;
  const look = (canCount: boolean, wantsAll: boolean) =>
    takeProbe(client(canCount), {siteId: 's', branchId: 'b', wantsAll}, new AbortController().signal);
  expect(await look(true, true)).toEqual({...answer(value), isOfAll: true});
  expect(await look(true, false)).toMatchObject({isOfAll: false, status: 200});
  const one = await look(false, true);
  expect([one.isOfAll, one.value.get('b')?.lines]).toEqual([false, 2]);
});
