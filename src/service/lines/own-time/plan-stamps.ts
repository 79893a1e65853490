import type {Instant} from '#log/line/instant.ts';

/**
 * Source of a plain line's stamp: its own time, the time of reading, or the previous line in its file, which it
 * directly follows.
 */
export type StampPlan = Instant | 'read' | 'after';

type StampPlanning = {
  readonly now: Instant;
  readonly oldNs: bigint;
  readonly isBacklog: boolean;
  readonly readTime: (line: string) => Instant | undefined;
};

export type StampPlans = {readonly plans: readonly StampPlan[]; readonly isBacklog: boolean};

const hourNs = 3_600_000_000_000n;

/** Returns what the machine's clocks show at an instant, to the second. */
const wallOf = (at: Instant): string => new Date(Number(at / 1_000_000n)).toString().slice(0, 24);

/**
 * When clocks are set back, an hour comes twice: a time without a zone that goes back within it is of the second one.
 */
const inSecondHour = (own: Instant, previous: Instant | undefined): Instant =>
  previous !== undefined && own < previous && previous - own < hourNs && wallOf(own) === wallOf(own + hourNs)
    ? own + hourNs
    : own;

/**
 * Plans the stamps of lines that were read together at `now`. A line whose own time is more than `oldNs` before `now`
 * was written earlier and keeps its time; if its time is closer, it was read as it was written. A time more than
 * `oldNs` ahead is not trusted and counts as none. A line without a time goes with the previous line or, at the front,
 * with the next one that has a time. `isBacklog`: the line before the first one kept its own time.
 */
export const planStamps = (lines: readonly string[], {now, oldNs, isBacklog, readTime}: StampPlanning): StampPlans => {
  const plans: StampPlan[] = [];
  let previous: Instant | undefined;
  let untimed: 'read' | 'after' | undefined = isBacklog ? 'after' : undefined;
  for (const line of lines) {
    const read = readTime(line);
    const own = read === undefined ? undefined : inSecondHour(read, previous);
    previous = own ?? previous;
    if (own === undefined || own > now + oldNs) {
      plans.push(untimed ?? 'read');
      continue;
    }
    const plan = now - own > oldNs ? own : 'read';
    if (untimed === undefined) {
      plans.fill(plan);
    }
    plans.push(plan);
    untimed = plan === 'read' ? 'read' : 'after';
  }
  return {plans, isBacklog: untimed === 'after'};
};
