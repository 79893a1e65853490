import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type BranchEntry, createInterleaver} from '#cli/logs/print/interleaver.ts';
import type {Entry} from '#log/line/entry.ts';

const line = (at: number, late = false): Entry => ({
  kind: 'line',
  id: at,
  at: BigInt(at),
  raw: `line ${at}`,
  textIndex: 0,
  late,
});

const gap = (at: number): Entry => ({kind: 'gap', id: 1000 + at, at: BigInt(at), after: 0n, before: BigInt(at)});

/** `a3` is the line of the first branch at 3, `a3!` a marker there. */
const shown = (entries: readonly BranchEntry[]): string =>
  entries
    .map(({entry, branchIndex}) => `${'abcdefgh'[branchIndex]}${entry.at}${entry.kind === 'line' ? '' : '!'}`)
    .join(' ');

const at = (beganMs: number, cameMs: number) => ({beganMs, cameMs});

describe('the first windows', () => {
  test('are let go together, by timestamp, when the last of them has come', () => {
    const interleaver = createInterleaver(2, 2000);
    expect(shown(interleaver.arrived(0, [line(1), line(4), line(6)], at(0, 10), true))).toBe('');
    expect(interleaver.isOpen).toBe(false);
    expect(interleaver.nextExpiryMs).toBeUndefined();
    expect(shown(interleaver.expire(9_000_000))).toBe('');
    expect(shown(interleaver.arrived(1, [line(2), line(4), line(9)], at(5, 20), true))).toBe('a1 b2 a4 b4 a6');
    expect(interleaver.isOpen).toBe(true);
    expect(interleaver.holdsFirst).toBe(true);
    // The first branch may have logged something older than 9 since it was asked.
    expect(shown(interleaver.arrived(0, [line(8)], at(250, 260), true))).toBe('a8 b9');
    expect(interleaver.holdsFirst).toBe(false);
  });

  test('are not waited for where a branch has ended', () => {
    const interleaver = createInterleaver(2, 2000);
    interleaver.ended(1);
    expect(shown(interleaver.arrived(0, [line(1)], at(0, 10), true))).toBe('a1');
  });

  test('a poll that failed brings none', () => {
    const interleaver = createInterleaver(2, 2000);
    interleaver.arrived(0, [line(1)], at(0, 10), true);
    expect(shown(interleaver.arrived(1, [], at(0, 20), false))).toBe('');
    expect(interleaver.isOpen).toBe(false);
  });
});

describe('later lines', () => {
  const open = (holdMs = 2000) => {
    const interleaver = createInterleaver(2, holdMs);
    interleaver.arrived(0, [], at(0, 10), true);
    interleaver.arrived(1, [], at(0, 10), true);
    return interleaver;
  };

  test('wait until the other branch was asked again, and stand after what that brought', () => {
    const interleaver = open();
    expect(shown(interleaver.arrived(0, [line(5), line(7)], at(100, 110), true))).toBe('');
    expect(shown(interleaver.arrived(1, [line(4), line(6)], at(120, 130), true))).toBe('b4 a5 b6 a7');
  });

  test('an answer that was asked for before the lines came proves nothing', () => {
    const interleaver = open();
    interleaver.arrived(0, [line(5)], at(100, 110), true);
    expect(shown(interleaver.arrived(1, [], at(105, 130), true))).toBe('');
    expect(shown(interleaver.arrived(1, [line(4)], at(140, 150), true))).toBe('b4 a5');
  });

  test('do not wait where the other branch holds something newer', () => {
    const interleaver = open();
    interleaver.arrived(1, [line(9)], at(100, 110), true);
    expect(shown(interleaver.arrived(0, [line(8), line(10)], at(101, 120), true))).toBe('a8 b9');
  });

  test('do not wait for a poll that failed, nor for a branch that has ended', () => {
    const interleaver = open();
    interleaver.arrived(0, [line(5)], at(100, 110), true);
    expect(shown(interleaver.arrived(1, [], at(120, 130), false))).toBe('a5');
    interleaver.ended(1);
    expect(shown(interleaver.arrived(0, [line(6)], at(200, 210), true))).toBe('a6');
  });

  test('wait no longer than they may, and what is older goes with them', () => {
    const interleaver = createInterleaver(3, 2000);
    for (const branch of [0, 1, 2]) {
      interleaver.arrived(branch, [], at(0, 10), true);
    }
    interleaver.arrived(0, [line(5), line(9)], at(100, 110), true);
    expect(interleaver.nextExpiryMs).toBe(2110);
    interleaver.arrived(1, [line(4)], at(50, 1000), true);
    expect(shown(interleaver.expire(2109))).toBe('');
    expect(shown(interleaver.expire(2110))).toBe('b4 a5 a9');
    expect(interleaver.nextExpiryMs).toBeUndefined();
  });

  test('what was due before an answer came goes before it, whether a timer was in time or not', () => {
    const interleaver = open(2000);
    interleaver.arrived(0, [line(5)], at(100, 110), true);
    expect(shown(interleaver.arrived(1, [line(4)], at(105, 2110), true))).toBe('a5 b4');
  });

  test('an older line that comes after newer ones is let go at once', () => {
    const interleaver = open();
    interleaver.arrived(0, [line(5)], at(100, 110), true);
    interleaver.arrived(1, [line(6)], at(120, 130), true);
    expect(shown(interleaver.arrived(0, [line(3, true)], at(140, 150), true))).toBe('a3 b6');
  });

  test('a marker keeps its place in its branch', () => {
    const interleaver = open();
    interleaver.arrived(0, [line(5), gap(3), line(8)], at(100, 110), true);
    expect(shown(interleaver.arrived(1, [line(6)], at(120, 130), true))).toBe('a5 a3! b6 a8');
  });

  test('one branch alone is handed through as it comes', () => {
    const interleaver = createInterleaver(1, 2000);
    expect(shown(interleaver.arrived(0, [line(2), line(1, true), line(3)], at(0, 1), true))).toBe('a2 a1 a3');
    expect(shown(interleaver.arrived(0, [line(0, true), gap(9), line(9)], at(2, 3), true))).toBe('a0 a9! a9');
  });
});

describe('whatever comes', () => {
  const brought = fc.array(
    fc.record({
      branch: fc.nat(2),
      latencyMs: fc.integer({min: 1, max: 400}),
      pauseMs: fc.integer({min: 1, max: 900}),
      isGood: fc.boolean(),
    }),
    {minLength: 5, maxLength: 120, size: 'max'},
  );

  test('no line is lost or doubled, a branch keeps its own order, and none waits too long', () => {
    fc.assert(
      fc.property(brought, polls => {
        const interleaver = createInterleaver(3, 2000);
        const out: BranchEntry[] = [];
        const given: number[] = [];
        const cameAt = new Map<number, number>();
        let nowMs = 0;
        let number = 0;
        for (const branch of [0, 1, 2]) {
          out.push(...interleaver.arrived(branch, [], at(nowMs, nowMs), true));
        }
        for (const {branch, latencyMs, pauseMs, isGood} of polls) {
          nowMs += pauseMs + latencyMs;
          // Whoever runs the loop calls when the first is due.
          for (
            let dueMs = interleaver.nextExpiryMs;
            dueMs !== undefined && dueMs <= nowMs;
            dueMs = interleaver.nextExpiryMs
          ) {
            const released = interleaver.expire(dueMs);
            for (const {entry} of released) {
              expect(dueMs - (cameAt.get(entry.id) ?? 0)).toBeLessThanOrEqual(2000);
            }
            out.push(...released);
          }
          const entries: Entry[] = [];
          if (isGood) {
            number += 2;
            entries.push(line(number - 1), line(number));
            given.push(number - 1, number);
            cameAt.set(number - 1, nowMs).set(number, nowMs);
          }
          out.push(...interleaver.arrived(branch, entries, at(nowMs - latencyMs, nowMs), isGood));
        }
        out.push(...interleaver.rest());
        expect(out.map(({entry}) => entry.id).toSorted((a, b) => a - b)).toEqual(given);
        for (const branch of [0, 1, 2]) {
          const own = out.filter(({branchIndex}) => branchIndex === branch).map(({entry}) => entry.id);
          expect(own).toEqual(own.toSorted((a, b) => a - b));
        }
      }),
      {numRuns: 200},
    );
  });

  test('polls that all come within the hold give one order by timestamp', () => {
    // Each branch is asked every 1,000 ms and answers with what was logged up to the moment of the request.
    const logged = fc.array(fc.record({branch: fc.nat(2), afterMs: fc.integer({min: 0, max: 300})}), {
      minLength: 10,
      maxLength: 200,
      size: 'max',
    });
    fc.assert(
      fc.property(logged, fc.tuple(fc.nat(900), fc.nat(900), fc.nat(900)), (lines, offsets) => {
        let timeMs = 0;
        const all = lines.map(({branch, afterMs}) => {
          timeMs += afterMs;
          return {branch, timeMs};
        });
        const interleaver = createInterleaver(3, 2000);
        const out: BranchEntry[] = [];
        const taken = [-1, -1, -1];
        const polls = [0, 1, 2]
          .flatMap(branch =>
            Array.from({length: Math.ceil(timeMs / 1000) + 2}, (_, round) => ({
              branch,
              beganMs: round * 1000 + (offsets[branch] ?? 0),
            })),
          )
          .toSorted((a, b) => a.beganMs - b.beganMs);
        for (const {branch, beganMs} of polls) {
          const entries = all
            .filter(one => one.branch === branch && one.timeMs > (taken[branch] ?? -1) && one.timeMs <= beganMs)
            .map(one => line(one.timeMs));
          taken[branch] = beganMs;
          out.push(...interleaver.arrived(branch, entries, at(beganMs, beganMs + 1), true));
        }
        out.push(...interleaver.rest());
        const times = out.map(({entry}) => Number(entry.at));
        expect(times).toEqual(all.map(one => one.timeMs));
      }),
      {numRuns: 200},
    );
  });
});
