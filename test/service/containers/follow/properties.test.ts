import fc from 'fast-check';
import {expect, test, vi} from 'vitest';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import {openFeed} from '../../kubernetes/open-feed.ts';
import {refuse, type ScriptedContainer} from '../../kubernetes/scripted-cluster.ts';

/**
 * One container and a reader, in simulated time. `stale` polls without telling the feed what the watch knows. A line's
 * stamp lies back by up to a few milliseconds, as where two writers stamp one file.
 */
const step = fc.oneof(
  {weight: 6, arbitrary: fc.record({kind: fc.constant('write' as const), lines: fc.nat(12), lateUs: fc.nat(4_000)})},
  {
    weight: 3,
    arbitrary: fc.record({kind: fc.constant('break' as const), how: fc.constantFrom('cut', 'clean', 'freeze')}),
  },
  {
    weight: 5,
    arbitrary: fc.record({kind: fc.constant('wait' as const), ms: fc.constantFrom(10, 100, 400, 1_500, 8_000)}),
  },
  {weight: 4, arbitrary: fc.constant({kind: 'poll' as const})},
  {weight: 3, arbitrary: fc.constant({kind: 'watch' as const})},
  {weight: 1, arbitrary: fc.constant({kind: 'restart' as const})},
  {weight: 1, arbitrary: fc.constant({kind: 'end' as const})},
  {weight: 1, arbitrary: fc.constant({kind: 'rotate' as const})},
  {weight: 1, arbitrary: fc.record({kind: fc.constant('freezeAfter' as const), lines: fc.nat(5)})},
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      answer: fc.constantFrom(refuse(404), refuse(500), refuse(429, 'slow down', 1_000), '', 'too many open files\n'),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type Entry = {readonly instance: number; readonly number: number} | 'hole';

const run = async (steps: readonly Step[], pieceBytes: number) => {
  const {addContainer, branch, advance} = openFeed({pieceBytes});
  const web = addContainer('web');
  let [instance, number, lastStamp] = [0, 0, 0n];
  let isRunning = true;
  const written: number[] = [0];
  const entries: Entry[] = [];
  const held = new Set<string>();
  let doubled = 0;
  let place: ReadUpTo | undefined;
  const told = new Set<number>();

  const write = (container: ScriptedContainer, lateUs: number): void => {
    number += 1;
    written[instance] = number;
    // Every stamp is its line's own, so that any second one was doubled by the feed.
    lastStamp = BigInt(Math.max(Date.now() * 1_000, Number(lastStamp / 1_000n) + 1)) * 1_000n;
    container.write(`${instance} ${number}`, lastStamp - BigInt(lateUs) * 1_000n);
  };

  const poll = async (): Promise<void> => {
    const reading = branch.readWindow(place).catch(() => undefined);
    await advance(0);
    const window = await reading;
    if (!window?.numbering) {
      return;
    }
    const {series, first, numbers, losses} = window.numbering;
    const numberOf = (numbers ?? [[first, window.lines.length]]).flatMap(([start, count]) =>
      Array.from({length: count}, (_, index) => start + index),
    );
    const tellLosses = (through: number): void => {
      for (const loss of losses.filter(({number}) => number <= through && !told.has(number))) {
        told.add(loss.number);
        entries.push('hole');
      }
    };
    // Without a place, the lines come by stamp.
    const byNumber = window.lines.map((line, index) => ({line, at: numberOf[index] ?? 0})).sort((a, b) => a.at - b.at);
    for (const {line, at} of byNumber) {
      tellLosses(at);
      doubled += held.has(line) ? 1 : 0;
      held.add(line);
      const [, ofInstance, ofNumber] = line.split(' ');
      entries.push({instance: Number(ofInstance), number: Number(ofNumber)});
    }
    const last = byNumber.at(-1)?.at ?? place?.last ?? 0;
    tellLosses(last + 1);
    expect(byNumber[0]?.at ?? first).toBe((place?.last ?? 0) + 1);
    place = {series, last};
  };

  const act = async (each: Step): Promise<void> => {
    // What rotates away before the first line of its instance was read can be known to nobody.
    const isKnown = entries.length > 0;
    const isInstanceKnown = entries.some(entry => entry !== 'hole' && entry.instance === instance);
    if (each.kind === 'write' && isRunning) {
      for (let count = 0; count < each.lines; count += 1) {
        write(web, each.lateUs);
      }
      await advance(1);
    } else if (each.kind === 'break') {
      web.breakStreams(each.how === 'cut' || each.how === 'clean' ? each.how : 'freeze');
    } else if (each.kind === 'wait') {
      await advance(each.ms);
    } else if (each.kind === 'poll') {
      await poll();
    } else if (each.kind === 'watch') {
      branch.setPlaces([web.place()]);
    } else if (each.kind === 'restart' && isKnown) {
      web.start();
      instance += 1;
      number = 0;
      written[instance] = 0;
      isRunning = true;
    } else if (each.kind === 'end') {
      web.end();
      isRunning = false;
    } else if (each.kind === 'rotate' && isInstanceKnown) {
      web.rotate();
    } else if (each.kind === 'freezeAfter') {
      web.freezeAfter = each.lines;
    } else if (each.kind === 'answer') {
      web.answers.push(each.answer);
    }
  };

  branch.setPlaces([web.place()]);
  await advance(300);
  for (const each of steps) {
    await act(each);
  }
  web.freezeAfter = undefined;
  web.answers.length = 0;
  for (let minutes = 0; minutes < 14; minutes += 1) {
    branch.setPlaces([web.place()]);
    await advance(60_000);
    await poll();
  }
  await branch.close();
  vi.useRealTimers();
  return {entries, written, doubled};
};

/** Lines that never came and have no hole between the nearest ones of their instance that did. */
const findLost = (entries: readonly Entry[], written: readonly number[]): readonly string[] => {
  const lost: string[] = [];
  let lastPlace = -1;
  for (const [instance, count] of written.entries()) {
    const places = new Map(
      entries.flatMap((entry, index) =>
        entry !== 'hole' && entry.instance === instance ? [[entry.number, index]] : [],
      ),
    );
    const nextOf = (from: number, ofInstance: number): number => {
      for (let next = from + 1; next <= count; next += 1) {
        const place = places.get(next);
        if (place !== undefined) {
          return place;
        }
      }
      // A later instance may have come first, read as the previous one while an older read waited for its proof.
      const later = entries.findIndex(
        (entry, index) => index > lastPlace && entry !== 'hole' && entry.instance > ofInstance,
      );
      return later === -1 ? entries.length : later;
    };
    for (let number = 1; number <= count; number += 1) {
      const place = places.get(number);
      if (place !== undefined) {
        lastPlace = Math.max(lastPlace, place);
      } else if (!entries.slice(lastPlace + 1, nextOf(number, instance)).includes('hole')) {
        lost.push(`${instance} ${number}`);
      }
    }
  }
  return lost;
};

test('whatever happens to streams and containers, no line is lost without a hole, and none is doubled', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, {minLength: 10, maxLength: 60, size: 'max'}),
      fc.constantFrom(7, 100, 100_000),
      async (steps, pieceBytes) => {
        const {entries, written, doubled} = await run(steps, pieceBytes);
        expect({lost: findLost(entries, written), doubled}).toEqual({lost: [], doubled: 0});
      },
    ),
    {numRuns: 40},
  );
});
