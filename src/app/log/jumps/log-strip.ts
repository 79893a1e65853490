import {type Instant, latestOf} from '../../../log/line/instant.ts';
import {plotStrip} from '../../../log/strip/strip.ts';
import {markStrip} from '../../../log/strip/strip-marks.ts';
import type {ShownStrip} from '../../parts/kept-views.ts';
import type {LogState, State} from '../../state/state.ts';

/** In narrower terminals the header needs the room more, and a strip would have too few columns to show anything. */
const columnsForStrip = 40;

/**
 * Columns beside the buckets: a blank, the two brackets around the visible part, a gap of three, and `14:00 to 14:05`
 * or `14:00:00 to 14:05:00`.
 */
const besideColumns = 20;
const besideZoomedColumns = 26;

/** Wider than any terminal. A screen reader has no width at all, and steps from peak to peak in this many columns. */
const stripColumnsMax = 400;

/** Returns the strip as shown; undefined if the log has no lines or the terminal is too narrow. */
export const stripOf = ({columns}: Pick<State, 'columns'>, log: LogState): ShownStrip | undefined => {
  if (columns < columnsForStrip) {
    return undefined;
  }
  const {stripBucket} = log;
  const zoomed = stripBucket === undefined ? undefined : plotOnce(log, columns - besideZoomedColumns, stripBucket);
  return zoomed?.strip.isZoomed === true ? zoomed : plotOnce(log, columns - besideColumns, undefined);
};

const plotOnce = (log: LogState, room: number, bucket: Instant | undefined): ShownStrip | undefined => {
  const buffers = log.sources.map(({tail}) => tail.log.buffer);
  const columns = Math.min(stripColumnsMax, room);
  const around = bucket === undefined ? 0n : readerAt(log);
  return log.kept.strip.answer([columns, bucket, around, ...buffers], () => {
    const strip = plotStrip(buffers, columns, bucket === undefined ? undefined : {bucket, around});
    return strip && {strip, marks: markStrip(buffers, strip)};
  });
};

/** Returns the time being read: that of the top row, or of the newest line while following. */
const readerAt = ({viewport, sources}: LogState): Instant =>
  viewport.kind === 'paused'
    ? viewport.top.at
    : (latestOf(sources.map(({tail}) => tail.log.buffer.newestLine?.at)) ?? 0n);
