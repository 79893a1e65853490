import {describeNumbers} from '#log/ingest/describe-numbers.ts';
import type {SourceName} from '#log/line/entry.ts';
import type {Numbering, ReadUpTo} from '#log/window/window-claims.ts';
import type {EmittedLine} from './seed/emitted-line.ts';

/** What is read of a log at a moment. */
export type SampleReading = {
  readonly nowMs: number;
  /** The window's lines, the same objects for as long as they are in windows. */
  readonly emitted: readonly EmittedLine[];
  /** When the last of the lines that are left out arrived, milliseconds since 1970. */
  readonly leftOutAtMs: number;
};

export type SampleNumbersOptions = {
  /** Names the first series. */
  readonly name: string;
  readonly sourceOf: (line: EmittedLine) => string | undefined;
  /** Counts the lines that arrived after one moment, up to another; undefined if that would take too long. */
  readonly countArrived: (fromMs: number, toMs: number) => number | undefined;
};

/**
 * Creates the numbers of a branch's lines. Nothing is written ahead of time, so lines are numbered when they are first
 * read. Those that came and went in between are counted; if nobody read for too long, a new series begins.
 */
export const createSampleNumbers = ({name, sourceOf, countArrived}: SampleNumbersOptions) => {
  let numbers = new Map<EmittedLine, number>();
  let last = 0;
  let lastMs: number | undefined;
  let epoch = 0;

  const takeReading = ({nowMs, emitted, leftOutAtMs}: SampleReading): void => {
    const fresh = emitted.filter(line => !numbers.has(line)).sort((a, b) => a.arrivesAtMs - b.arrivesAtMs);
    const arrived = lastMs !== undefined && leftOutAtMs > lastMs ? countArrived(lastMs, nowMs) : fresh.length;
    if (arrived === undefined) {
      epoch += 1;
      last = 0;
      numbers = new Map();
      fresh.splice(0, fresh.length, ...emitted.toSorted((a, b) => a.arrivesAtMs - b.arrivesAtMs));
    }
    // What left unread counts as the first to arrive.
    last += Math.max(0, (arrived ?? 0) - fresh.length);
    for (const line of fresh) {
      last += 1;
      numbers.set(line, last);
    }
    numbers = new Map(emitted.map(line => [line, numbers.get(line) ?? last]));
    lastMs = Math.max(lastMs ?? nowMs, nowMs);
  };

  return {
    /** Numbers what arrived since the last reading, and returns what a reader at this place gets. */
    read: (
      reading: SampleReading,
      after?: ReadUpTo,
    ): {readonly lines: readonly string[]; readonly numbering: Numbering} => {
      takeReading(reading);
      const series = `demo-${name}-${epoch}`;
      const pods = new Map<string | undefined, SourceName>();
      const describe = (line: EmittedLine) => {
        const pod = sourceOf(line);
        const source = pods.get(pod) ?? (pod === undefined ? {} : {pod});
        pods.set(pod, source);
        return {line: line.line, sequence: numbers.get(line) ?? last, source};
      };
      const hasPlace = after?.series === series && after.last <= last;
      const all = reading.emitted.map(describe);
      const kept = hasPlace
        ? all.filter(({sequence}) => sequence > after.last).sort((a, b) => a.sequence - b.sequence)
        : all;
      return {lines: kept.map(({line}) => line), numbering: describeNumbers(series, kept, [], last + 1)};
    },
  };
};
