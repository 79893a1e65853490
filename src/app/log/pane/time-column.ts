import type {Entry} from '../../../log/line/entry.ts';
import type {Instant} from '../../../log/line/instant.ts';
import {formatWhen, type TimeMode, whenWidth} from '../../../log/words/format-when.ts';
import type {OffsetMinutesAt} from '../../../log/words/time-words.ts';

/** What times are shown relative to. */
export type TimeGround = {
  /** Current time by the service's clock. */
  readonly nowAt: Instant;
  /** The user's UTC offset at a time, in minutes east of UTC. */
  readonly offsetMinutesAt: OffsetMinutesAt;
  /** The mark that times count from; undefined if there is none. */
  readonly markAt: Instant | undefined;
};

/**
 * Returns the time column of an entry, as wide as its mode; blanks for a line without a readable time. `previousAt` is
 * the time of the previous line.
 */
export const formatTime = (
  entry: Entry,
  mode: TimeMode,
  previousAt: Instant | undefined,
  {nowAt, offsetMinutesAt, markAt}: TimeGround,
): string =>
  entry.kind === 'line' && entry.textIndex === 0
    ? ' '.repeat(whenWidth(mode))
    : formatWhen(entry.at, mode, {
        nowAt,
        offsetMinutesAt,
        previousAt,
        markAt,
      });
