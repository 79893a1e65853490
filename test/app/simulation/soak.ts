import {update} from '#app/update.ts';
import {createRandom} from '../../log/simulation/random.ts';
import type {SoakPart, SoakPartOptions} from './soak-part.ts';
import {createSoakPrinter} from './soak-printer.ts';
import {createSoakScreens} from './soak-screens.ts';

export type SoakOptions = {
  readonly seed: number;
  /** It ends with the scenario in which so many polls are reached. */
  readonly polls: number;
  /** The scenario to begin with, from 1: one that failed can be run alone. */
  readonly firstScenarioNumber?: number;
  /** The program's own, or one that is broken on purpose. */
  readonly update?: typeof update;
  /** So many branches of one are served by a random cluster; none by default. */
  readonly clusterShare?: number;
  /** Is told after each scenario. */
  readonly progress?: (soaked: Soaked) => void;
};

export type Soaked = {readonly polls: number; readonly scenarioCount: number};

/** Something does not hold. The message has all that it takes to see it again. */
export class SoakError extends Error {
  override readonly name = 'SoakError';
}

const printedShare = 0.15;

/**
 * Makes scenario after scenario out of one seed, and checks all that must hold after each step. Throws a `SoakError`.
 */
export const soak = ({
  seed,
  polls: pollsWanted,
  firstScenarioNumber = 1,
  update: take = update,
  clusterShare = 0,
  progress = () => {},
}: SoakOptions): Soaked => {
  let soaked: Soaked = {polls: 0, scenarioCount: 0};
  while (soaked.polls < pollsWanted) {
    const scenarioNumber = firstScenarioNumber + soaked.scenarioCount;
    const polls = soakScenario({seed, scenarioNumber, clusterShare, update: take});
    soaked = {polls: soaked.polls + polls, scenarioCount: soaked.scenarioCount + 1};
    progress(soaked);
  }
  return soaked;
};

type ScenarioOptions = {
  readonly seed: number;
  readonly scenarioNumber: number;
  readonly clusterShare: number;
  readonly update: typeof update;
};

const soakScenario = (options: ScenarioOptions): number => {
  const outcome = runScenario(options, false);
  if (outcome.kind === 'held') {
    return outcome.polls;
  }
  // Once more, with the whole log looked at after each step: the first step at which it is wrong is nearer to the
  // cause.
  const closer = runScenario(options, true);
  const {sentence, stepNumber, description} = closer.kind === 'failed' ? closer : outcome;
  const clusters = options.clusterShare > 0 ? ` --clusters ${options.clusterShare}` : '';
  throw new SoakError(
    `scenario ${options.scenarioNumber}, step ${stepNumber}: ${sentence}\n${description}\nrun it again: SEED=${options.seed} npm run soak -- --scenario ${options.scenarioNumber}${clusters}`,
    {cause: outcome.cause},
  );
};

type Outcome =
  | {readonly kind: 'held'; readonly polls: number}
  | {
      readonly kind: 'failed';
      readonly sentence: string;
      readonly stepNumber: number;
      readonly description: string;
      readonly cause: unknown;
    };

/** Without an end a scenario in which no poll ever comes would run for ever. */
const stepsMax = 5000;

const runScenario = (
  {seed, scenarioNumber, clusterShare, update: take}: ScenarioOptions,
  checksEachStep: boolean,
): Outcome => {
  const random = createRandom(seed, scenarioNumber);
  const pollsWanted = random.integer(20, 120);
  const part = createPart({random, clusterShare, checksEachStep}, take);
  let polls = 0;
  let stepNumber = 0;
  try {
    while (polls < pollsWanted) {
      stepNumber += 1;
      polls += part.step();
      if (stepNumber >= stepsMax) {
        throw new Error(`${polls} polls came in ${stepNumber} steps`);
      }
    }
    stepNumber += 1;
    return {kind: 'held', polls: polls + part.recover()};
  } catch (cause) {
    const sentence = cause instanceof Error ? cause.message : String(cause);
    return {kind: 'failed', sentence, stepNumber, description: part.describe(), cause};
  }
};

const createPart = (options: SoakPartOptions, take: typeof update): SoakPart =>
  options.random.chance(printedShare) ? createSoakPrinter(options) : createSoakScreens({...options, update: take});
