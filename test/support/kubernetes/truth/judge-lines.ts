import {type InstanceTruth, readNumbered} from './truth.ts';

/** What a reader showed, in its order. */
export type Seen =
  | {readonly kind: 'line'; readonly text: string}
  /** The reader says that lines may be missing here, of one pod's container, of one pod, or of all. */
  | {readonly kind: 'hole'; readonly pod?: string; readonly container?: string};

export type LostRange = {readonly key: string; readonly from: number; readonly to: number};

export type Verdict = {
  readonly linesWritten: number;
  readonly linesSeen: number;
  /** Lines that never came, between seen ones of the same instance or in an instance of which none came, without a hole. */
  readonly lost: readonly LostRange[];
  /** Lines before the first one seen of an instance, without a hole: the reader's horizon, or its loss. */
  readonly lostAtStart: readonly LostRange[];
  /** Lines after the last one seen of an instance, without a hole: those of a pod that went, or not yet come. */
  readonly lostAtEnd: readonly LostRange[];
  readonly linesLostInHoles: number;
  readonly holes: number;
  readonly doubled: number;
  /** Numbered lines whose text is not the one written. */
  readonly changed: readonly string[];
  /** Lines that no container wrote. */
  readonly foreign: readonly string[];
};

export const countLost = (ranges: readonly LostRange[]): number =>
  ranges.reduce((sum, {from, to}) => sum + to - from + 1, 0);

/** A verdict in one line, for a test's message. */
export const formatVerdict = (verdict: Verdict): string =>
  [
    `${verdict.linesSeen} of ${verdict.linesWritten} lines`,
    `lost without a word ${countLost(verdict.lost)}`,
    `at the start ${countLost(verdict.lostAtStart)}`,
    `at the end ${countLost(verdict.lostAtEnd)}`,
    `in ${verdict.holes} holes ${verdict.linesLostInHoles}`,
    `doubled ${verdict.doubled}`,
    `changed ${verdict.changed.length}`,
    `foreign ${verdict.foreign.length}`,
  ].join(', ');

/**
 * Compares what a reader showed with what the containers wrote. A missing line counts as declared when the reader
 * showed a hole for its container between the line's nearest seen neighbours of the same instance.
 */
export const judgeLines = (truth: readonly InstanceTruth[], seen: readonly Seen[]): Verdict => {
  const byKey = new Map(truth.map(instance => [instance.key, instance]));
  const placesByKey = new Map<string, Map<number, number>>();
  const foreign: string[] = [];
  const changed: string[] = [];
  let doubled = 0;
  let linesSeen = 0;

  for (const [index, entry] of seen.entries()) {
    if (entry.kind === 'hole') {
      continue;
    }
    const numbered = readNumbered(entry.text);
    const instance = numbered === undefined ? undefined : byKey.get(numbered.key);
    if (numbered === undefined || instance === undefined || numbered.number > instance.linesWritten) {
      foreign.push(entry.text);
      continue;
    }
    linesSeen += 1;
    const places = placesByKey.get(numbered.key) ?? new Map<number, number>();
    placesByKey.set(numbered.key, places);
    if (places.has(numbered.number)) {
      doubled += 1;
    } else {
      places.set(numbered.number, index);
    }
    const written = instance.lines[numbered.number - 1]?.text;
    if (written !== undefined && written !== entry.text) {
      changed.push(entry.text);
    }
  }

  const holes = seen.flatMap((entry, index) => (entry.kind === 'hole' ? [{...entry, index}] : []));
  const isDeclared = ({pod, container}: InstanceTruth, from: number, to: number): boolean =>
    holes.some(
      hole =>
        hole.index > from &&
        hole.index < to &&
        (hole.pod === undefined || hole.pod === pod) &&
        (hole.container === undefined || hole.container === container),
    );

  const lost: LostRange[] = [];
  const lostAtStart: LostRange[] = [];
  const lostAtEnd: LostRange[] = [];
  let linesLostInHoles = 0;
  for (const instance of truth) {
    const places = placesByKey.get(instance.key) ?? new Map<number, number>();
    const numbers = [...places.keys()].sort((a, b) => a - b);
    const bounds = [0, ...numbers, instance.linesWritten + 1];
    for (const [index, number] of bounds.slice(1).entries()) {
      const before = bounds[index] ?? 0;
      if (number - before <= 1) {
        continue;
      }
      const from = places.get(before) ?? -1;
      const to = places.get(number) ?? seen.length;
      const range = {key: instance.key, from: before + 1, to: number - 1};
      if (isDeclared(instance, Math.min(from, to), Math.max(from, to))) {
        linesLostInHoles += countLost([range]);
      } else if (numbers.length === 0 || (before > 0 && number <= instance.linesWritten)) {
        lost.push(range);
      } else if (before === 0) {
        lostAtStart.push(range);
      } else {
        lostAtEnd.push(range);
      }
    }
  }
  return {
    linesWritten: truth.reduce((sum, instance) => sum + instance.linesWritten, 0),
    linesSeen,
    lost,
    lostAtStart,
    lostAtEnd,
    linesLostInHoles,
    holes: holes.length,
    doubled,
    changed,
    foreign,
  };
};
