import {type Marker, type SourceName, textOf} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import {type Follow, followNothing} from '#log/reading/continuation.ts';
import {readError} from '#log/traits/error-lines.ts';
import type {SourcedEntry} from '#log/view/log-view.ts';
import {sourceKey} from '#log/words/source-words.ts';

/** Counts over the entries of a scope. */
export type Tally = {
  readonly lineCount: number;
  /** Errors, each with its trace. */
  readonly errorCount: number;
  /** Lines that came after newer ones. */
  readonly lateCount: number;
  /** Times of the first and the last line. */
  readonly firstAt: Instant | undefined;
  readonly lastAt: Instant | undefined;
  readonly gapCount: number;
  /** The lines of each source, by `sourceKey`; none if the service says it of no line. */
  readonly lineCounts: ReadonlyMap<string, number>;
  /** In order; only the first ones are kept. */
  readonly markers: readonly SourcedMarker[];
  readonly markersLeftOut: number;
};

export type SourcedMarker = {readonly source: number; readonly marker: Marker};

/** Beyond this many markers, the lines tell more about a log. */
const markersMax = 10_000;

/** Counts entries passed to it in order. */
export const createTally = (): {
  readonly take: (entries: readonly SourcedEntry[]) => void;
  readonly result: () => Tally;
} => {
  const markers: SourcedMarker[] = [];
  /** By the line's source, or else by its branch: a source is an object of one branch. */
  const follows = new Map<SourceName | number, Follow>();
  const lineCounts = new Map<string, number>();
  let [lineCount, errorCount, lateCount, gapCount, markersLeftOut] = [0, 0, 0, 0, 0];
  let firstAt: Instant | undefined;
  let lastAt: Instant | undefined;
  return {
    take: entries => {
      for (const {source, entry} of entries) {
        if (entry.kind === 'line') {
          lineCount += 1;
          const writer = entry.source ?? source;
          const {follow, isError} = readError(follows.get(writer) ?? followNothing, textOf(entry));
          follows.set(writer, follow);
          errorCount += isError ? 1 : 0;
          lateCount += entry.late ? 1 : 0;
          if (entry.source !== undefined) {
            const key = sourceKey(entry.source);
            lineCounts.set(key, (lineCounts.get(key) ?? 0) + 1);
          }
          firstAt ??= entry.at;
          lastAt = entry.at;
        } else {
          gapCount += entry.kind === 'gap' ? 1 : 0;
          if (markers.length < markersMax) {
            markers.push({source, marker: entry});
          } else {
            markersLeftOut += 1;
          }
        }
      }
    },
    result: () => ({lineCount, errorCount, lateCount, firstAt, lastAt, gapCount, lineCounts, markers, markersLeftOut}),
  };
};
