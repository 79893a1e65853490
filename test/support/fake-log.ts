import type {IncomingHttpHeaders} from 'node:http';
import type {FakePod} from './fake-records.ts';

/**
 * `items`: all of `data`, where not every item is one of the lines. `header`: what the response header `branchlog-window` says; none is sent
 * without it.
 */
export type FakeWindow = {
  readonly lines: readonly string[];
  readonly items?: readonly unknown[];
  readonly pods?: readonly FakePod[];
  readonly header?: string;
  /** Further fields of the answer; an undefined one takes the usual one away. */
  readonly more?: Readonly<Record<string, unknown>>;
};

/** What the n-th request for a branch's log gets, n from 1. */
export type FakeLog = (requestNumber: number, headers: IncomingHttpHeaders) => FakeWindow;

export type GrowingLog = {
  /** Logs texts, each in a nanosecond of its own and a second after the one before; answers the whole lines. */
  emit(...texts: readonly string[]): readonly string[];
  /** Logs whole lines as they are. */
  emitLines(...lines: readonly string[]): void;
  /** Every line that was ever logged, oldest first: the truth to compare with. */
  readonly emitted: readonly string[];
  setPods(...pods: readonly FakePod[]): void;
  readonly log: FakeLog;
};

type GrowingLogOptions = {
  /** How many of the newest lines a window holds. */
  readonly windowLines?: number;
  /** When the first line was logged. */
  readonly startMs?: number;
  readonly pods?: readonly FakePod[];
};

/** A log that grows as the test says, seen through a window of its newest lines. */
export const createGrowingLog = ({
  windowLines = 1000,
  startMs = Date.UTC(2025, 0, 2, 3, 4, 5),
  pods = [{name: 'shop-0'}],
}: GrowingLogOptions = {}): GrowingLog => {
  const emitted: string[] = [];
  let currentPods = pods;
  return {
    emitted,
    emit(...texts) {
      const lines = texts.map((text, index) => {
        const number = emitted.length + index;
        const second = new Date(startMs + number * 1000).toISOString().slice(0, 19);
        return `${second}.${String(number % 1_000_000_000).padStart(9, '0')}Z ${text}`;
      });
      emitted.push(...lines);
      return lines;
    },
    emitLines(...lines) {
      emitted.push(...lines);
    },
    setPods(...newPods) {
      currentPods = newPods;
    },
    log: () => ({lines: emitted.slice(-windowLines), pods: currentPods}),
  };
};
