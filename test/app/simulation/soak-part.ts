import type {Random} from '../../log/simulation/random.ts';

/** A scenario under way. Whatever does not hold is thrown as an error that says so. */
export type SoakPart = {
  /** Lets the next thing happen; answers how many polls ended in it. */
  step(): number;
  /** Ends the faults and checks that the log is live and whole from there; answers how many polls that took. */
  recover(): number;
  /** What it is made of and what happened last, in a line. */
  describe(): string;
};

export type SoakPartOptions = {
  readonly random: Random;
  /** So many branches of one are served by a random cluster. */
  readonly clusterShare: number;
  readonly checksEachStep: boolean;
};
