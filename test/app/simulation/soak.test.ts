import {describe, expect, test} from 'vitest';
import type {Effect} from '#app/state/effect.ts';
import type {StampedEvent} from '#app/state/event.ts';
import {viewLog} from '#app/state/log-sources.ts';
import type {State} from '#app/state/state.ts';
import {next, type Step} from '#app/state/step.ts';
import {update} from '#app/update.ts';
import {following, oneRowPane, pauseAt, topIndex} from '#log/view/viewport.ts';
import {asStrings} from '#log/window/texts.ts';
import {isThorough, runsOf} from '../../support/thorough.ts';
import {SoakError, soak} from './soak.ts';

/**
 * The same one every time, so that a change is judged by what it changed; `npm run soak` looks further with a new one.
 */
const seed = Number(process.env.SEED ?? 20261121);

test('polls of random services, with random faults and keys, and everything holds', () => {
  console.log(`SEED=${seed}`);
  const {polls, scenarioCount} = soak({seed, polls: runsOf(2_500)});
  expect(polls).toBeGreaterThanOrEqual(runsOf(2_500));
  expect(scenarioCount).toBeGreaterThan(runsOf(20));
}, 180_000);

test('polls of random clusters that number their lines, judged by what they know, and everything holds', () => {
  expect(soak({seed, polls: runsOf(800), clusterShare: 1}).polls).toBeGreaterThanOrEqual(runsOf(800));
}, 180_000);

test('the same seed makes the same polls', () => {
  expect(soak({seed: 5, polls: 50})).toEqual(soak({seed: 5, polls: 50}));
});

type Update = typeof update;

/** With this one the soak finds almost every fault within the first scenarios; any other finds them later. */
const quickSeed = 7;

/** What the soak says of a program that is broken on purpose. */
const sentenceAbout = (broken: Update, seed = quickSeed): string => {
  try {
    soak({seed, polls: 3000, update: broken});
  } catch (error) {
    if (error instanceof SoakError) {
      return error.message;
    }
    throw error;
  }
  return 'everything held';
};

/** Changes the lines of each window before the program sees them. */
const seeing =
  (see: (lines: readonly string[]) => readonly string[]): Update =>
  (state, event) =>
    update(
      state,
      event.kind === 'windowArrived'
        ? {
            ...event,
            answer: {...event.answer, value: {...event.answer.value, lines: see(asStrings(event.answer.value.lines))}},
          }
        : event,
    );

/** Changes what the program makes of the events of a kind. */
const making =
  (kind: StampedEvent['kind'], make: (step: Step, before: State) => Step): Update =>
  (state, event) => {
    const step = update(state, event);
    return event.kind === kind && step.state !== state ? make(step, state) : step;
  };

type Window = Extract<StampedEvent, {readonly kind: 'windowArrived' | 'windowFailed'}>;

const isForHeld = ({held}: State, event: StampedEvent): event is Window =>
  (event.kind === 'windowArrived' || event.kind === 'windowFailed') &&
  held.some(({generation}) => generation === event.generation);

const broken: readonly {
  readonly name: string;
  readonly update: Update;
  readonly sentence: RegExp;
  readonly seed?: number;
}[] = [
  {
    name: 'a line of each window is lost',
    update: seeing(lines => lines.toSpliced(1, 1)),
    sentence: /lost|not held/,
  },
  {
    name: 'a line of each window comes twice',
    update: seeing(lines => [...lines, ...lines.slice(-1)]),
    sentence: /handed out \d+ times/,
  },
  {
    name: 'lines of one time change places',
    update: seeing(lines => lines.toReversed()),
    sentence: /out of order|lost|gap/,
    seed: 9,
  },
  {
    name: "a failed poll moves the reader's place",
    update: making('windowFailed', (step, before) =>
      before.log === undefined || step.state.log === undefined
        ? step
        : {...step, state: {...step.state, log: {...step.state.log, viewport: {...step.state.log.viewport}}}},
    ),
    sentence: /changed the log/,
  },
  {
    name: 'a window takes the reader to the end',
    update: making('windowArrived', step =>
      step.state.log === undefined
        ? step
        : {...step, state: {...step.state, log: {...step.state.log, viewport: following}}},
    ),
    sentence: /a window made following of paused/,
  },
  {
    name: 'a window moves the reader by a row',
    update: making('windowArrived', step => {
      const {log, rows} = step.state;
      const view = log === undefined ? undefined : viewLog(log);
      if (log === undefined || view === undefined || log.viewport.kind === 'following') {
        return step;
      }
      const top = topIndex(log.viewport, view, oneRowPane(rows));
      return {
        ...step,
        state: {...step.state, log: {...log, viewport: pauseAt(view, {index: top + 1, rowsAbove: 0}, log.viewport)}},
      };
    }),
    sentence: /the top row moved/,
  },
  {
    name: 'a late answer is taken',
    update: (state, event) =>
      update(
        state,
        'generation' in event && !isForHeld(state, event) ? {...event, generation: state.generation} : event,
      ),
    sentence: /a late answer of generation \d+ was taken|a poll is arranged while one is under way/,
  },
  {
    name: 'the window of a held log goes to the open one',
    update: (state, event) => update(state, isForHeld(state, event) ? {...event, generation: state.generation} : event),
    sentence: /lost|the window of a held log changed the open one/,
  },
  {
    name: 'the next poll is sent without waiting',
    update: making('windowArrived', (step, {generation}) => ({
      ...step,
      effects: step.effects.map(effect => (effect.kind === 'pollAfter' ? {...effect, delayMs: 0, generation} : effect)),
    })),
    sentence: /the next poll is put off by 0 ms/,
  },
  {
    name: 'after a fault nothing is asked any more',
    update: making('windowFailed', ({state}) => next(state)),
    sentence: /no next poll is arranged/,
  },
  {
    name: 'a poll is arranged while one is under way',
    update: making('pollDue', step => ({
      ...step,
      effects: step.effects.flatMap((effect): readonly Effect[] =>
        effect.kind === 'fetchWindow'
          ? [effect, {kind: 'pollAfter', branchId: effect.branchId, delayMs: 1000, generation: effect.generation}]
          : [effect],
      ),
    })),
    sentence: /a poll is arranged while one is under way/,
  },
  {
    name: 'two requests are sent at once',
    update: making('pollDue', step => ({...step, effects: [...step.effects, ...step.effects]})),
    sentence: /a second request is sent while one is under way/,
  },
];

// As with the judges of the log's own simulation: whether they find what is broken is for test:all.
describe.runIf(isThorough)('finds out', () => {
  test.each(broken)('$name', ({update: brokenUpdate, sentence, seed: itsSeed}) => {
    expect(sentenceAbout(brokenUpdate, itsSeed)).toMatch(sentence);
  });

  test('says how to see it again', () => {
    expect(sentenceAbout(making('windowFailed', ({state}) => next(state)))).toMatch(
      /^scenario \d+, step \d+: [\s\S]*\nrun it again: SEED=7 npm run soak -- --scenario \d+$/,
    );
  });
});
