import type {Instant} from '../../log/instant.ts';

/** Gives each line without a timestamp of its own the instant at which it was read. */
export type StampClock = {
  /** Later than every stamp before it, by a nanosecond where the clock stands still or has gone back. */
  next(): Instant;
  /** The newest stamp given; kept in the state, so that stamps rise over restarts too. */
  last(): Instant;
};

/** Stamps rise strictly: they are the order of the lines, and two lines with one stamp would have none. */
export const createStampClock = (now: () => Instant, lastStamp: Instant): StampClock => {
  let last = lastStamp;
  return {
    next: () => {
      const instant = now();
      last = instant > last ? instant : last + 1n;
      return last;
    },
    last: () => last,
  };
};
