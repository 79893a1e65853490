import type {ShownStrip} from '#app/parts/kept-views.ts';
import {arrivalsFromOf, filteredOf, keptLists} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import type {EntryList} from '#log/buffer/entry-list.ts';
import {type Instant, latestOf} from '#log/line/instant.ts';
import {plotStrip} from '#log/overview/strip.ts';
import {findPeaks, markStrip} from '#log/overview/strip-marks.ts';
import {newShapesOf} from '#log/traits/shape-table.ts';

/** In narrower terminals the header needs the room more, and a strip would have too few columns to show anything. */
const columnsForStrip = 40;

/** In narrower terminals there is room for either the scale or the time range. */
const columnsForScale = 70;
const columnsForBoth = 110;

/** The most cells of `most 1,234 in 30 s, 1,234 failed`: fixed, so that a line more does not move the picture. */
export const scaleCells = 31;

/** What stands beside the buckets: their scale, and the time range that they cover. */
export const besideStrip = (columns: number, isZoomed: boolean): {readonly scale: boolean; readonly range: boolean} => {
  const hasBoth = columns >= columnsForBoth;
  const scale = hasBoth || (columns >= columnsForScale && !isZoomed);
  return {scale, range: hasBoth || !scale};
};

/**
 * Returns the columns for buckets: all but a blank, the two brackets around the visible part, a gap of three, and what
 * stands beside the strip with gaps of three.
 */
const bucketColumns = (columns: number, isZoomed: boolean): number => {
  const {scale, range} = besideStrip(columns, isZoomed);
  const rangeCells = (isZoomed ? '14:00:00 to 14:05:00' : '14:00 to 14:05').length;
  return columns - 6 - (scale ? scaleCells : 0) - (range ? rangeCells : 0) - (scale && range ? 3 : 0);
};

/** Wider than any terminal. A screen reader has no width at all, and steps from peak to peak in this many columns. */
const stripColumnsMax = 400;

/** Returns the strip as shown; undefined if the log has no lines or the terminal is too narrow. */
export const stripOf = ({columns}: Pick<State, 'columns'>, log: LogState): ShownStrip | undefined => {
  if (columns < columnsForStrip) {
    return undefined;
  }
  const {stripBucket} = log;
  const zoomed = stripBucket === undefined ? undefined : plotOnce(log, bucketColumns(columns, true), stripBucket);
  return zoomed?.strip.isZoomed === true ? zoomed : plotOnce(log, bucketColumns(columns, false), undefined);
};

const plotOnce = (log: LogState, room: number, bucket: Instant | undefined): ShownStrip | undefined => {
  const lists = keptLists(log);
  const buffers = lists.map(({buffer}) => buffer);
  const columns = Math.min(stripColumnsMax, room);
  const around = bucket === undefined ? 0n : readerAt(log);
  const after = arrivalsFromOf(log);
  const newIds = log.sources.map(({shapes}) => shapes.newIds);
  // Of an unfiltered log, a list is made anew each time.
  const filtered = log.sources.map((_, index) => filteredOf(log, index)?.unfolded);
  return log.kept.strip.answer([columns, bucket, around, after, ...buffers, ...filtered, ...newIds], () => {
    const strip = plotStrip(lists, columns, bucket === undefined ? undefined : {bucket, around}, after);
    const newTimes = newShapesOf(log.sources.map(({shapes}) => shapes))
      .filter(({source, firstAt, firstId}) => isListed(lists[source], {at: firstAt, id: firstId}))
      .map(({firstAt}) => firstAt);
    return strip && {strip, marks: markStrip(buffers, strip, newTimes), peaks: findPeaks(strip)};
  });
};

const isListed = (list: EntryList | undefined, line: {readonly at: Instant; readonly id: number}): boolean =>
  list?.slice(list.indexOf(line), 1)[0]?.id === line.id;

/** Returns the time being read: that of the top row, or of the newest line while following. */
const readerAt = ({viewport, sources}: LogState): Instant =>
  viewport.kind === 'paused'
    ? viewport.top.at
    : (latestOf(sources.map(({tail}) => tail.log.buffer.newestLine?.at)) ?? 0n);
