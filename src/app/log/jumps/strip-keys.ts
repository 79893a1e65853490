import type {Frame} from '#app/parts/frame.ts';
import type {ShownStrip} from '#app/parts/kept-views.ts';
import {arrivalsFromOf, filteredOf, keptLists} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type LogHandler, next, type Step, withLog} from '#app/state/step.ts';
import type {EntryList} from '#log/buffer/entry-list.ts';
import {type Instant, instantToMs, latestOf} from '#log/line/instant.ts';
import {findError} from '#log/overview/find-in-log.ts';
import {closerBucket, columnAt, plotStrip, type Strip, widerBucket} from '#log/overview/strip.ts';
import {findPeaks, markStrip} from '#log/overview/strip-marks.ts';
import {newShapesOf} from '#log/traits/shape-table.ts';
import {countOf} from '#log/words/format-count.ts';
import {type Pane, paneOf} from '../log-pane.ts';
import {goToIndex, readerIndex} from '../picking.ts';

/** Formats the length of a strip's column exactly, in one unit: `200 ms`, `90 s`, `7.5 min`, `2 h`. */
export const formatBucket = (bucket: Instant): string => {
  const ms = instantToMs(bucket);
  if (ms < 1000) {
    return `${ms} ms`;
  }
  if (ms < 120_000) {
    return `${ms / 1000} s`;
  }
  return ms < 7_200_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
};

/** In narrower terminals the header needs the room more, and a strip would have too few columns to show anything. */
const columnsForStrip = 40;

/** In narrower terminals there is room for either the scale or the time range. */
const columnsForScale = 70;
const columnsForBoth = 110;

/** The most cells of `most 1,234 in 30 s, 1,234 failed`: fixed, so that a line more does not move the picture. */
export const scaleCells = 31;

/** Shown beside the buckets: their scale, and the time range that they cover. */
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
  // For an unfiltered log, the list is rebuilt each time.
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

/** Handles the keys of the strip: jump between peaks, zoom in and out. */
export const stripKeys: LogHandler = (state, log, command) => {
  switch (command) {
    case 'nextPeak':
    case 'previousPeak':
      return withStrip(state, log, shown => goToPeak(state, log, shown, command === 'nextPeak' ? 1 : -1));
    case 'zoomStripIn':
      return withStrip(state, log, ({strip}) => {
        const stripBucket = closerBucket(strip.bucket);
        return stripBucket === undefined
          ? next({...state, notice: 'the strip cannot zoom in further'})
          : next(withLog(state, {...log, stripBucket}));
      });
    case 'zoomStripOut':
      return withStrip(state, log, ({strip}) =>
        strip.isZoomed
          ? next(withLog(state, zoomedOut(state, log, strip)))
          : next({...state, notice: 'the strip already shows the whole buffer'}),
      );
    default:
      return undefined;
  }
};

/**
 * Zooms the strip out by one step. If that shows everything, the zoom is removed, so that the strip keeps showing
 * everything as the log grows.
 */
const zoomedOut = (frame: Frame, log: LogState, strip: Strip): LogState => {
  const nextState = {...log, stripBucket: widerBucket(strip.bucket)};
  return stripOf(frame, nextState)?.strip.isZoomed === true ? nextState : {...log, stripBucket: undefined};
};

const withStrip = (state: State, log: LogState, act: (shown: ShownStrip) => Step): Step => {
  const shown = stripOf(state, log);
  return shown === undefined
    ? next({...state, notice: 'no strip: the log is empty or the terminal is too narrow'})
    : act(shown);
};

/**
 * Puts the cursor on the first error of the next peak column, or on its first line if it has no errors; filters apply.
 */
const goToPeak = (state: State, log: LogState, shown: ShownStrip, direction: 1 | -1): Step => {
  const {strip} = shown;
  const pane = paneOf(state, log);
  const column = peakBeside(log, pane, shown, direction);
  if (column === undefined) {
    const where = strip.isZoomed ? ' in the zoomed strip' : '';
    return next({...state, notice: `no more peaks ${direction === 1 ? 'below' : 'above'}${where}`});
  }
  const from = strip.from + strip.bucket * BigInt(column);
  const index = firstOf(pane, from, from + strip.bucket);
  return next(
    index === undefined
      ? {...state, notice: 'the filters hide all lines there'}
      : {...withLog(state, goToIndex(log, pane, index)), notice: peakWords(shown, column)},
  );
};

/** Returns the column of the nearest peak after or before the reader; undefined if there is none, or no strip. */
export const findPeakBeside = (frame: Frame, log: LogState, direction: 1 | -1): number | undefined => {
  const shown = stripOf(frame, log);
  return shown && peakBeside(log, paneOf(frame, log), shown, direction);
};

const peakBeside = (log: LogState, pane: Pane, {strip, peaks}: ShownStrip, direction: 1 | -1): number | undefined => {
  const here = readerColumn(log, pane, strip);
  return direction === 1 ? peaks.find(each => each > here) : peaks.findLast(each => each < here);
};

/** Returns the reader's column; one past the last while following, so that the newest column may be a peak to go to. */
const readerColumn = (log: LogState, pane: Pane, strip: Strip): number => {
  const [entry] = pane.view.slice(readerIndex(log, pane), 1);
  return entry === undefined ? strip.buckets.length : columnAt(strip, entry.entry.at);
};

/** Maximum number of adjacent markers that a change brings. */
const markersMax = 16;

/** Returns the index of a column's first error, else of its first line; undefined if the view shows none of it. */
const firstOf = ({view}: Pane, from: Instant, to: Instant): number | undefined => {
  const first = view.indexAtOrAfter(from);
  const error = findError(view, {fromIndex: first - 1, direction: 'next'});
  const [found] = error === undefined ? [] : view.slice(error, 1);
  if (error !== undefined && found !== undefined && found.entry.at < to) {
    return error;
  }
  const offset = view.slice(first, markersMax).findIndex(({entry}) => entry.kind === 'line');
  const [line] = offset === -1 ? [] : view.slice(first + offset, 1);
  return line !== undefined && line.entry.at < to ? first + offset : undefined;
};

/** `a peak: 37 errors, 120 lines in 10 s` */
const peakWords = ({strip: {bucket, buckets}, marks}: ShownStrip, column: number): string => {
  const {lines = 0, errors = 0} = buckets[column] ?? {};
  const lead = marks[column] === 'onset' ? 'errors begin to exceed what is usual' : 'a peak';
  const counts = [...(errors > 0 ? [countOf(errors, 'error')] : []), countOf(lines, 'line')].join(', ');
  return `${lead}: ${counts} in ${formatBucket(bucket)}`;
};
