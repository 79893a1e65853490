import {type Marker, textOf} from '../../log/line/entry.ts';
import type {Instant} from '../../log/line/instant.ts';
import {isErrorText} from '../../log/traits/error-lines.ts';
import type {SourcedEntry} from '../../log/view/log-view.ts';

/** What the entries of a scope come to. */
export type Tally = {
  readonly lineCount: number;
  /** Lines that say error or worse. */
  readonly errorCount: number;
  /** Lines that had come behind newer ones. */
  readonly lateCount: number;
  /** The times of the first and the last line. */
  readonly firstAt: Instant | undefined;
  readonly lastAt: Instant | undefined;
  readonly gapCount: number;
  /** In order; the first ones where there are more than are kept. */
  readonly markers: readonly SourcedMarker[];
  readonly markersLeftOut: number;
};

export type SourcedMarker = {readonly source: number; readonly marker: Marker};

/** A log with more is told by its lines. */
const markersMax = 10_000;

/** Counts entries as they are handed to it, in order. */
export const createTally = (): {
  readonly take: (entries: readonly SourcedEntry[]) => void;
  readonly result: () => Tally;
} => {
  const markers: SourcedMarker[] = [];
  let [lineCount, errorCount, lateCount, gapCount, markersLeftOut] = [0, 0, 0, 0, 0];
  let firstAt: Instant | undefined;
  let lastAt: Instant | undefined;
  return {
    take: entries => {
      for (const {source, entry} of entries) {
        if (entry.kind === 'line') {
          lineCount += 1;
          errorCount += isErrorText(textOf(entry)) ? 1 : 0;
          lateCount += entry.late ? 1 : 0;
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
    result: () => ({lineCount, errorCount, lateCount, firstAt, lastAt, gapCount, markers, markersLeftOut}),
  };
};
