/** Pods of a branch that run and whose lines a service cannot read now: how many of how many, and why the first. */
export type Unreadable = {readonly pods: number; readonly of: number; readonly why: string};
