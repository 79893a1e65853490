import {setNewest} from '#base/bounds.ts';
import {describeNumbers} from '#log/ingest/describe-numbers.ts';
import type {Numbering, ReadUpTo} from '#log/window/window-claims.ts';
import type {KeptLine, LineWindow} from './line-window.ts';
import type {KeptLoss} from './window-losses.ts';

/** Places of readers whose answers are kept until the window changes. */
const placesMax = 64;

/** The lines of an answer, with the number and the source of each. */
export type NumberedLines = {
  readonly lines: readonly string[];
  readonly numbering: Numbering;
  /** There are lines after these. */
  readonly next?: 'there' | undefined;
};

/**
 * Creates the view of a window for readers. `linesMax`: lines of an answer to a reader with a place, who asks again for
 * the rest.
 */
export const createLineNumbers = (window: LineWindow, linesMax = Number.POSITIVE_INFINITY) => {
  let version: string | undefined;
  let shown: {readonly kept: readonly KeptLine[]; readonly lines: readonly string[]} = {kept: [], lines: []};
  let whole: NumberedLines | undefined;
  /** That of the last whole window: most of the next one stays as it was. */
  let described: Numbering | undefined;
  const places = new Map<number, NumberedLines>();

  const showWhole = (series: string): NumberedLines => {
    const kept = window.lines();
    if (shown.kept !== kept) {
      shown = {kept, lines: kept.map(({line}) => line)};
    }
    described = describeNumbers(series, kept, window.losses(), window.last() + 1, described);
    return {lines: shown.lines, numbering: described};
  };

  const showAfter = (series: string, number: number): NumberedLines => {
    const all = window.linesAfter(number);
    const kept = all.length > linesMax ? all.slice(0, linesMax) : all;
    const next = all[kept.length]?.sequence ?? window.last() + 1;
    const losses = window.losses().filter(loss => loss.number > number && loss.number <= next);
    const left = window.leftAfter(number);
    const told: KeptLoss[] = left?.stamps
      ? [
          {
            number: kept[0]?.sequence ?? next,
            count: 1,
            after: left.stamps.earliest,
            before: left.stamps.latest,
            lines: left.lines,
            why: 'these lines left the window before they were read',
          },
        ]
      : [];
    const numbering = describeNumbers(series, kept, [...told, ...losses], next);
    return {lines: kept.map(({line}) => line), numbering, ...(kept !== all && {next: 'there'})};
  };

  return {
    /**
     * Returns the lines after a reader's place in order of arrival; the whole window by stamp if there is no place, or
     * it is none of this series. The same object for the same place until the window changes, and the same lines until
     * they do.
     */
    show: (series: string, after?: ReadUpTo): NumberedLines => {
      const current = `${window.version()} ${series}`;
      if (version !== current) {
        version = current;
        whole = undefined;
        places.clear();
      }
      if (after?.series !== series || after.last > window.last()) {
        whole ??= showWhole(series);
        return whole;
      }
      const known = places.get(after.last) ?? showAfter(series, after.last);
      setNewest(places, after.last, known, placesMax);
      return known;
    },
  };
};
