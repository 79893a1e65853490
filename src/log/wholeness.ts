import type {Instant} from './instant.ts';
import type {ReadWindow, WindowLine} from './window-line.ts';

/** What a window says about the log between it and the one before. */
export type Verdict =
  | {readonly kind: 'whole'}
  /** The window before was empty: nobody can know what came and went in between. */
  | {readonly kind: 'quiet'}
  /** Lines from `after` to `before` may be missing; at these very times too, where several lines share one. */
  | {readonly kind: 'gap'; readonly after: Instant; readonly before: Instant};

/** What left between two windows. */
export type Departure = {
  /** Lines of the window before that are not in this one, by counted identity. */
  readonly leftCount: number;
  /** The oldest of them. */
  readonly oldestLeft: Instant | undefined;
  /** The newest line of the window before (of equal timestamps, any) is in this one. */
  readonly keepsNewest: boolean;
  /**
   * The oldest that left though it lies between a line that stayed and this window's newest: each pod's log is cut on its own,
   * or a pod went, or this answer is older than the one before.
   */
  readonly oldestHole: Instant | undefined;
};

/** Compares two windows. `overlap` is how many lines at the end of the first stand at the front of the second; 0 where unknown. */
export const compareWindows = (before: ReadWindow, now: ReadWindow, overlap: number): Departure => {
  if (overlap > 0 && before.cameSorted && now.cameSorted) {
    // Aligned and in order: what left was at the front, before this window's first line, and no hole can be among it.
    const leftCount = before.lines.length - overlap;
    return {
      leftCount,
      oldestLeft: leftCount > 0 ? before.lines[0]?.at : undefined,
      keepsNewest: true,
      oldestHole: undefined,
    };
  }
  const {kept, left} = partLines(before.lines, now.lines);
  const oldestKept = kept[0]?.at;
  const newest = now.lines.at(-1)?.at;
  return {
    leftCount: left.length,
    oldestLeft: left[0]?.at,
    keepsNewest: overlap > 0 || (kept.length > 0 && kept.at(-1)?.at === before.lines.at(-1)?.at),
    // Where lines come in the order of their arrival, late ones have older times than those before them: only the order as
    // received shows that all that left was at the front. Lines at the very time of the oldest may have been cut there too;
    // those newer than this window's newest left because this answer is older than the one before.
    oldestHole:
      overlap > 0 || oldestKept === undefined || newest === undefined
        ? undefined
        : left.find(line => line.at > oldestKept && line.at <= newest)?.at,
  };
};

/** Parts lines into those that others hold too and those that stand more often here than there, with their count, in order. */
const partLines = (
  lines: readonly WindowLine[],
  others: readonly WindowLine[],
): {readonly kept: readonly WindowLine[]; readonly left: readonly WindowLine[]} => {
  const counts = new Map<string, number>();
  for (const {key} of others) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const kept: WindowLine[] = [];
  const left: WindowLine[] = [];
  for (const line of lines) {
    const count = counts.get(line.key) ?? 0;
    counts.set(line.key, count - 1);
    (count > 0 ? kept : left).push(line);
  }
  return {kept, left};
};

export type JudgeInput = {
  /** undefined at the first poll. */
  readonly before: ReadWindow | undefined;
  readonly now: ReadWindow;
  readonly departure: Departure;
  /** The newest line held before this window was merged. */
  readonly newestHeld: Instant | undefined;
  /** A line held at that time before is in this window: not merely another one with the same timestamp. */
  readonly newestHeldIsHere: boolean;
  /** The oldest new line later than `newestHeld`; where no line held at that time is here, also one at the same time. */
  readonly oldestNewer: Instant | undefined;
  readonly addedCount: number;
  /** Pods that run now. */
  readonly podCount: number;
  /** A pod went at this poll or just before; its marker stands for its lines. */
  readonly podWent: boolean;
  /** Holes were seen lately, at this poll or shortly before, that no pod's going explains. */
  readonly cutsEachPod: boolean;
};

/** Decides whether anything may be missing, in this order; never with the client's clock. */
export const judgeWindow = (input: JudgeInput): Verdict => {
  const {before, now, departure, newestHeld, oldestNewer} = input;
  const newestNow = now.lines.at(-1)?.at;
  if (before === undefined || input.addedCount === 0 || newestNow === undefined) {
    return {kind: 'whole'};
  }
  if (before.lines.length === 0) {
    return {kind: 'quiet'};
  }
  if (input.cutsEachPod) {
    // Then the newest line alone proves nothing: a loud pod may have moved past its share while a quiet one kept its lines.
    // A pod that lost lines shows nothing but new ones, as many as it may hold. Where it had held few before, few left:
    // so both what left and what came must be less than the share.
    const share = now.lines.length / Math.max(1, input.podCount);
    return Math.max(departure.leftCount, input.addedCount) < share || departure.oldestLeft === undefined
      ? {kind: 'whole'}
      : {kind: 'gap', after: departure.oldestLeft, before: newestNow};
  }
  // A window that is cut as one holds all that came after any of its lines. The newest line held may be that of a pod that went
  // some polls ago, so the newest of the window before proves as much. The lines of a pod that goes leave at once,
  // its newest among them; then any line that stayed shows that the rest has no gap.
  const isJoined =
    input.newestHeldIsHere || departure.keepsNewest || (input.podWent && departure.leftCount < before.lines.length);
  if (isJoined || newestHeld === undefined || oldestNewer === undefined) {
    return {kind: 'whole'};
  }
  return {kind: 'gap', after: newestHeld, before: oldestNewer};
};
