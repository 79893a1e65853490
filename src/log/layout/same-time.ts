import {type Instant, instantFromMs} from '#log/line/instant.ts';
import {instantOfWritten, readWritten} from '#log/tokens/written-time.ts';

/** A line is stamped when it is written, and a second that it is about may have begun before. */
const laterNsMax = instantFromMs(2000);
const earlierNsMax = instantFromMs(1000);

const nanosPerSecond = 1_000_000_000n;

/**
 * Checks whether a time in a line's text is the line's own timestamp, give or take a second or two, so that showing
 * both would say the same thing twice. A time without a zone counts as UTC; one that can't be read is never the same.
 */
export const isSameTime = (text: string, at: Instant): boolean => {
  const written = readWritten(text);
  const latest = at + earlierNsMax;
  const exact = typeof written === 'object' ? instantOfWritten(written, latest) : written;
  const said = exact && exact - (exact % nanosPerSecond);
  return said !== undefined && at - said < laterNsMax && said < latest;
};
