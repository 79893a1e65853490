import {type Instant, parseInstant} from '#log/line/instant.ts';

/** Lines that are searched for a time of their own before all are taken for lines without one. */
const looksMax = 1_000;

/** Lines that are read back get times just before those that follow them, nanoseconds. */
const readBackNs = 1_000_000_000n;

type ArrivalTimes = {
  /** Looks for times in lines as served: a stamp, a space, and the text. */
  look(lines: readonly string[]): void;
  /** Lines up to this time were there before they could be seen to arrive. */
  noteThere(until: Instant): void;
  /** As `HeldFrom.arrivalsFrom`. */
  from(): Instant | undefined;
};

/** Finds out whether lines say when they were written, and which of those that do not were seen to arrive. */
export const createArrivalTimes = (
  openedAt: Instant,
  readTime: (text: string) => Instant | undefined,
): ArrivalTimes => {
  let looksLeft = looksMax;
  let isByArrival = false;
  let from = 0n;
  return {
    look: lines => {
      for (const line of lines.slice(0, looksLeft)) {
        const textIndex = line.indexOf(' ') + 1;
        looksLeft -= 1;
        // A line of a container's log has the time that is written before its text.
        isByArrival =
          (parseInstant(line.slice(0, textIndex - 1)) ?? 0n) > openedAt - readBackNs &&
          !readTime(line.slice(textIndex));
        if (!isByArrival) {
          looksLeft = 0;
          return;
        }
      }
    },
    noteThere: until => {
      from = until;
    },
    from: () => (isByArrival ? from : undefined),
  };
};
