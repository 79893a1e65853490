import type {Instant} from '../../log/line/instant.ts';

/** A time this far ahead of the clock is still believed: the clocks of two machines that are kept in step differ by less. */
export const aheadNsMax = 2_000_000_000n;

/** What the clock must remember over restarts. */
export type ClockState = {
  /** The stamp given last. */
  readonly last: Instant;
  /** The highest stamp ever given: above `last` only after the machine's clock was set back. */
  readonly highest: Instant;
};

/** Gives lines the instant at which they were read. */
export type StampClock = {
  /**
   * Later than every stamp before it and than `after`, by a nanosecond where the machine's clock stands still.
   * Stamps that lie more than `aheadNsMax` ahead of `now` were given by a wrong clock: the next ones go back with the clock.
   */
  next(reading: {readonly now: Instant; readonly after: Instant | undefined; readonly sequence: number}): Instant;
  state(): ClockState;
};

/** A clock of milliseconds leaves six digits. */
const nanosPerMilli = 1_000_000;

export const createStampClock = ({last: lastGiven, highest: highestGiven}: ClockState): StampClock => {
  let last = lastGiven;
  let highest = highestGiven;
  return {
    next: ({now, after, sequence}) => {
      const limit = now + aheadNsMax;
      // Times that come a second time get digits of their own: with an old stamp a repeated text would be an old line.
      const isRepeated = now <= highest && (last > limit || last < highest);
      let stamp = isRepeated ? now + BigInt(sequence % nanosPerMilli) : now;
      for (const before of [last, after]) {
        if (before !== undefined && before <= limit && stamp <= before) {
          stamp = before + 1n;
        }
      }
      last = stamp;
      highest = stamp > highest ? stamp : highest;
      return stamp;
    },
    state: () => ({last, highest}),
  };
};
