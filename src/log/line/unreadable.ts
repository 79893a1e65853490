/** Pods of a branch that run and whose lines a service cannot read now: how many of how many, and why the first. */
export type Unreadable = {
  readonly pods: number;
  readonly of: number;
  readonly why: string;
  /** Pods that have come by now would not be known either, for the same reason: `pods` may then be 0. */
  readonly isBlind?: true;
};
