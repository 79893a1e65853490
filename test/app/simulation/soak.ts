import {update} from '../../../src/app/update.ts';
import {createRandom, type Random} from '../../log/simulation/random.ts';
import type {SoakPart} from './soak-part.ts';
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
  /** Is told after each scenario. */
  readonly progress?: (soaked: Soaked) => void;
};

export type Soaked = {readonly polls: number; readonly scenarioCount: number};

/** Something does not hold. The message has all that it takes to see it again. */
export class SoakError extends Error {
  override readonly name = 'SoakError';
}

const printedShare = 0.15;

/** Makes scenario after scenario out of one seed, and checks all that must hold after each step. Throws a `SoakError`. */
export const soak = ({
  seed,
  polls: pollsWanted,
  firstScenarioNumber = 1,
  update: take = update,
  progress = () => {},
}: SoakOptions): Soaked => {
  let soaked: Soaked = {polls: 0, scenarioCount: 0};
  while (soaked.polls < pollsWanted) {
    const scenarioNumber = firstScenarioNumber + soaked.scenarioCount;
    const polls = soakScenario({seed, scenarioNumber, update: take});
    soaked = {polls: soaked.polls + polls, scenarioCount: soaked.scenarioCount + 1};
    progress(soaked);
  }
  return soaked;
};

type ScenarioOptions = {readonly seed: number; readonly scenarioNumber: number; readonly update: typeof update};

const soakScenario = (options: ScenarioOptions): number => {
  const outcome = runScenario(options, false);
  if (outcome.kind === 'held') {
    return outcome.polls;
  }
  // Once more, with the whole log looked at after each step: the first step at which it is wrong is nearer to the cause.
  const closer = runScenario(options, true);
  const {sentence, stepNumber, description} = closer.kind === 'failed' ? closer : outcome;
  throw new SoakError(
    `scenario ${options.scenarioNumber}, step ${stepNumber}: ${sentence}\n${description}\nrun it again: SEED=${options.seed} npm run soak -- --scenario ${options.scenarioNumber}`,
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

const runScenario = ({seed, scenarioNumber, update: take}: ScenarioOptions, checksEachStep: boolean): Outcome => {
  const random = createRandom(seed, scenarioNumber);
  const pollsWanted = random.integer(20, 120);
  const part = createPart(random, take, checksEachStep);
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

const createPart = (random: Random, take: typeof update, checksEachStep: boolean): SoakPart => {
  return random.chance(printedShare)
    ? createSoakPrinter(random, checksEachStep)
    : createSoakScreens({random, update: take, checksEachStep});
};
