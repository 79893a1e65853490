import type {LineBuffer} from '../../log/buffer.ts';
import {type Instant, latestOf} from '../../log/instant.ts';
import {plotStrip, type Strip} from '../../log/strip.ts';
import {markStrip, type StripMark} from '../../log/strip-marks.ts';
import type {LogState, State} from '../state.ts';

/** Below this the header needs the room more, and a strip would have too few columns to tell anything. */
const columnsForStrip = 40;

/** Beside the buckets: a blank, the two brackets round what the pane shows, a gap of three, and `14:00 to 14:05` or `14:00:00 to 14:05:00`. */
const besideColumns = 20;
const besideZoomedColumns = 26;

/** More than any terminal is wide; a reader of the screen has none at all, and walks from peak to peak in so many. */
const stripColumnsMax = 400;

/** A strip, and what stands in its columns beside lines. */
export type ShownStrip = {readonly strip: Strip; readonly marks: readonly (StripMark | undefined)[]};

type Plotted = {
  readonly buffers: readonly LineBuffer[];
  readonly columns: number;
  readonly bucket: Instant | undefined;
  readonly around: Instant;
  readonly shown: ShownStrip | undefined;
};

/** What was plotted last: most keys change nothing of it, and it costs the chunks. */
let kept: Plotted = {buffers: [], columns: 0, bucket: undefined, around: 0n, shown: undefined};

/** The strip as it stands on the screen; undefined where the log holds no line or the terminal is too narrow for it. */
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
  const isSame =
    kept.columns === columns &&
    kept.bucket === bucket &&
    kept.around === around &&
    kept.buffers.length === buffers.length &&
    buffers.every((buffer, index) => buffer === kept.buffers[index]);
  if (!isSame) {
    const strip = plotStrip(buffers, columns, bucket === undefined ? undefined : {bucket, around});
    kept = {buffers, columns, bucket, around, shown: strip && {strip, marks: markStrip(buffers, strip)}};
  }
  return kept.shown;
};

/** The time that is read: that of the top row, or while following that of the newest line. */
const readerAt = ({viewport, sources}: LogState): Instant =>
  viewport.kind === 'paused'
    ? viewport.top.at
    : (latestOf(sources.map(({tail}) => tail.log.buffer.newestLine?.at)) ?? 0n);
