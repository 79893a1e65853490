import type {Entry} from '../../../log/line/entry.ts';
import type {Instant} from '../../../log/line/instant.ts';
import {formatWhen, type TimeMode, whenWidth} from '../../../log/words/format-when.ts';
import type {OffsetMinutesAt} from '../../../log/words/time-words.ts';

/** What times are told against. */
export type TimeGround = {
  /** The service's clock. */
  readonly nowAt: Instant;
  /** The user's zone at a time, minutes east of UTC. */
  readonly offsetMinutesAt: OffsetMinutesAt;
  /** The mark that times are counted from; undefined where there is none. */
  readonly markAt: Instant | undefined;
};

/** The time before a line, as wide as its mode; blanks for a line without a readable one. `previousAt` is that of the line before. */
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
