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
  /** A stream cut in order so shortly before its container ended looks ended with it: see docs/kubernetes.md. */
  const endedMsMax = 1_000;
  let cut = {instance: -1, number: 0, atMs: 0};
  const unknowable = new Set<string>();

  const noteEnd = (): void => {
    if (cut.instance === instance && Date.now() - cut.atMs <= endedMsMax) {
      for (let each = cut.number + 1; each <= number; each += 1) {
        unknowable.add(`${instance} ${each}`);
      }
    }
  };

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
      cut = each.how === 'clean' ? {instance, number, atMs: Date.now()} : cut;
    } else if (each.kind === 'wait') {
      await advance(each.ms);
    } else if (each.kind === 'poll') {
      await poll();
    } else if (each.kind === 'watch') {
      branch.setPlaces([web.place()]);
    } else if (each.kind === 'restart' && isKnown) {
      noteEnd();
      web.start();
      instance += 1;
      number = 0;
      written[instance] = 0;
      isRunning = true;
    } else if (each.kind === 'end') {
      noteEnd();
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
  return {entries, written, doubled, unknowable};
};

/**
 * Lines that never came, and that no hole stands for: it does for those that lie between the lines that came before and
 * after it. Several in a row are one.
 */
const findLost = (entries: readonly Entry[], written: readonly number[]): readonly string[] => {
  const placeOf = ({instance, number}: Exclude<Entry, 'hole'>): number => instance * 1e6 + number;
  const spans = entries.flatMap((entry, index) => {
    if (entry !== 'hole') {
      return [];
    }
    const before = entries.slice(0, index).map(each => (each === 'hole' ? 0 : placeOf(each)));
    const after = entries.slice(index).find(each => each !== 'hole');
    return [[Math.max(0, ...before), after ? placeOf(after) : Number.POSITIVE_INFINITY] as const];
  });
  const came = new Set(entries.flatMap(entry => (entry === 'hole' ? [] : [placeOf(entry)])));
  return written.flatMap((count, instance) =>
    Array.from({length: count}, (_, index) => ({instance, number: index + 1}))
      .filter(line => !came.has(placeOf(line)))
      .filter(line => !spans.some(([from, to]) => from < placeOf(line) && placeOf(line) < to))
      .map(line => `${line.instance} ${line.number}`),
  );
};

test('whatever happens to streams and containers, no line is lost without a hole, and none is doubled', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, {minLength: 10, maxLength: 60, size: 'max'}),
      fc.constantFrom(7, 100, 100_000),
      async (steps, pieceBytes) => {
        const {entries, written, doubled, unknowable} = await run(steps, pieceBytes);
        const lost = findLost(entries, written).filter(line => !unknowable.has(line));
        expect({lost, doubled}).toEqual({lost: [], doubled: 0});
      },
    ),
    {numRuns: 40},
  );
});
