import type {Instant} from '#log/line/instant.ts';

/** Times up to this far ahead of the clock are accepted: the clocks of two synchronised machines differ by less. */
export const aheadNsMax = 2_000_000_000n;

/** The clock state that must survive restarts. */
export type ClockState = {
  /** The last stamp given. */
  readonly last: Instant;
  /** The highest stamp ever given: above `last` only if the machine's clock was set back. */
  readonly highest: Instant;
};

type StampWanted = {readonly now: Instant; readonly after: Instant | undefined; readonly sequence: number};

/** A millisecond clock leaves six digits. */
const nanosPerMilli = 1_000_000;

/** Gives lines the instant at which they were read. */
export const createStampClock = ({last: lastGiven, highest: highestGiven}: ClockState) => {
  let last = lastGiven;
  let highest = highestGiven;
  return {
    /**
     * Returns a stamp later than all previous ones and later than `after`: a nanosecond later if the machine's clock
     * has not advanced. Stamps more than `aheadNsMax` ahead of `now` came from a wrong clock: the next ones go back
     * with the clock.
     */
    next: ({now, after, sequence}: StampWanted): Instant => {
      const limit = now + aheadNsMax;
      // Times that recur get digits of their own: with an old stamp, a repeated text would be an old line.
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
    state: (): ClockState => ({last, highest}),
  };
};
