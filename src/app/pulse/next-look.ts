import type {KnownPulses} from '#app/tail/known-pulse.ts';

/** Ids of branches that may be looked at, in the order of the list. */
export type LookChoices = {
  /** Those on the screen. */
  readonly shown: readonly string[];
  readonly others: readonly string[];
};

/** Branches on the screen are looked at again after this long, milliseconds: rates are per minute. */
export const shownAgainMs = 10_000;
const othersAgainMs = 30_000;
/** A branch that cannot be read is rarely so for seconds. */
const failedAgainMs = 60_000;

/**
 * Chooses the branch to look at next, and when it is due, in milliseconds by the monotonic clock, which may be in the
 * past. First come those on the screen that nobody has looked at, then all that are due, those on the screen first;
 * within each, the one whose look is oldest. If there are others, those on the screen leave them half of the looks.
 */
export const nextLook = (
  {shown, others}: LookChoices,
  pulses: KnownPulses,
  {nowMs, intervalMs}: {readonly nowMs: number; readonly intervalMs: number},
): {readonly branchId: string; readonly dueAtMs: number} | undefined => {
  const shownEveryMs = Math.max(shownAgainMs, others.length > 0 ? 2 * intervalMs * shown.length : 0);
  const first = firstDue(shown, shownEveryMs, pulses);
  const other = firstDue(others, othersAgainMs, pulses);
  return first === undefined || (other !== undefined && first.dueAtMs > nowMs && other.dueAtMs < first.dueAtMs)
    ? other
    : first;
};

const firstDue = (ids: readonly string[], everyMs: number, pulses: KnownPulses) => {
  let [branchId, dueAtMs]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const id of ids) {
    const known = pulses.get(id);
    const dueMs =
      known === undefined
        ? Number.NEGATIVE_INFINITY
        : known.lookedAtMs + (known.failure === undefined ? everyMs : Math.max(everyMs, failedAgainMs));
    if (dueMs < dueAtMs) {
      [branchId, dueAtMs] = [id, dueMs];
    }
  }
  return branchId === undefined ? undefined : {branchId, dueAtMs};
};
