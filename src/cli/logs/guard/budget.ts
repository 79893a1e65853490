import type {ApiError} from '#api/client/api-error.ts';

/** A window of a minute, and what requests may differ in on their way. */
const windowMs = 61_000;

/**
 * Creates a budget that spreads requests: never more than `perMinute` in a minute. One a minute is kept back for a
 * request that is repeated with a new token.
 */
export const createBudget = (perMinute: number) => {
  const spacingMs = windowMs / Math.max(1, perMinute - 1);
  let freeAtMs = Number.NEGATIVE_INFINITY;
  return {
    isFree: (nowMs: number): boolean => nowMs >= freeAtMs,
    freeAtMs: (): number => freeAtMs,
    /** Counts a request, or one that failed: if it was refused, it may have been made twice. */
    spend: (nowMs: number, error?: Pick<ApiError, 'kind'>): void => {
      if (error === undefined || error.kind === 'unauthorised') {
        freeAtMs = Math.max(nowMs, freeAtMs) + spacingMs;
      }
    },
  };
};

/** A branch that may be checked; times are milliseconds by the monotonic clock. */
export type DueBranch = {
  readonly id: string;
  readonly dueMs: number;
  readonly checkedMs: number;
  readonly isHot: boolean;
};

/** Where something goes on, a check is worth as much as four elsewhere; nobody waits for ever. */
const hotWeight = 4;

/** Returns whose turn it is, of those that are due. */
export const nextOf = (branches: readonly DueBranch[], nowMs: number): string | undefined => {
  const weightOf = ({checkedMs, isHot}: DueBranch): number => (nowMs - checkedMs) * (isHot ? hotWeight : 1);
  return branches
    .filter(({dueMs}) => dueMs <= nowMs)
    .reduce<DueBranch | undefined>((a, b) => (a !== undefined && weightOf(a) >= weightOf(b) ? a : b), undefined)?.id;
};
