import type {ShownStrip} from '#app/parts/kept-views.ts';
import {type LogHandler, withLog} from '#app/state/handler.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type Step, stay} from '#app/state/step.ts';
import type {Instant} from '#log/line/instant.ts';
import {findError} from '#log/overview/find-in-log.ts';
import {closerBucket, columnAt, type Strip, widerBucket} from '#log/overview/strip.ts';
import {countOf} from '#log/words/format-count.ts';
import {type Pane, paneOf} from '../log-pane.ts';
import {goToIndex, readerIndex} from '../pane/cursor.ts';
import {formatBucket} from './format-bucket.ts';
import {stripOf} from './log-strip.ts';

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
          ? stay({...state, notice: 'the strip is at its closest zoom'})
          : stay(withLog(state, {...log, stripBucket}));
      });
    case 'zoomStripOut':
      return withStrip(state, log, ({strip}) =>
        strip.isZoomed
          ? stay(withLog(state, zoomedOut(state, log, strip)))
          : stay({...state, notice: 'the strip already shows the whole buffer'}),
      );
    default:
      return undefined;
  }
};

/**
 * Zooms the strip out by one step. If that shows everything, the zoom is removed, so that the strip keeps showing
 * everything as the log grows.
 */
const zoomedOut = (state: State, log: LogState, strip: Strip): LogState => {
  const next = {...log, stripBucket: widerBucket(strip.bucket)};
  return stripOf(state, next)?.strip.isZoomed === true ? next : {...log, stripBucket: undefined};
};

const withStrip = (state: State, log: LogState, act: (shown: ShownStrip) => Step): Step => {
  const shown = stripOf(state, log);
  return shown === undefined
    ? stay({...state, notice: 'no strip: the log is empty or the terminal is too narrow'})
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
    return stay({...state, notice: `no more peaks ${direction === 1 ? 'below' : 'above'}${where}`});
  }
  const from = strip.from + strip.bucket * BigInt(column);
  const index = firstOf(pane, from, from + strip.bucket);
  return stay(
    index === undefined
      ? {...state, notice: 'the filters hide all lines there'}
      : {...withLog(state, goToIndex(log, pane, index)), notice: peakWords(shown, column)},
  );
};

/** Returns the column of the nearest peak after or before the reader; undefined if there is none, or no strip. */
export const findPeakBeside = (state: State, log: LogState, direction: 1 | -1): number | undefined => {
  const shown = stripOf(state, log);
  return shown && peakBeside(log, paneOf(state, log), shown, direction);
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
