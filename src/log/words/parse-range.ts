import type {Instant} from '#log/line/instant.ts';
import {parseWhen, type WhenContext} from '../tokens/time-words.ts';

/** Times from `from` to `to`, both included; what is left out has no end there. */
export type TimeRange = {readonly from?: Instant | undefined; readonly to?: Instant | undefined};

const separator = /^(?:from\s+)?(.*?)(?:\s+to(?:\s+|$)|\s*(?:\.\.+|–)\s*|\s+-\s+)(.*)$/i;
const fromOnly = /^from\s+(.+)$/i;
const toOnly = /^(?:to|until)\s+(.+)$/i;
const clock = /^\d{1,2}:\d\d/;

const nanosPerDay = 86_400_000_000_000n;

/** Checks whether a text is meant as a range, not as one time. */
export const isRangeText = (text: string): boolean =>
  [separator, fromOnly, toOnly].some(pattern => pattern.test(text.trim()));

/**
 * Parses a range as a person types it: `14:02 to 14:05`, `from 14:02`, `to 14:05`, `14:02..14:05`, `-15m to -10m`,
 * `14:02 to +3m`. A clock time at its end is the first one after its beginning. A single time is a beginning.
 */
export const parseRange = (text: string, context: WhenContext): TimeRange | {readonly error: string} => {
  const words = text.trim();
  const [
    ,
    first = fromOnly.exec(words)?.[1] ?? (toOnly.test(words) ? '' : words),
    last = toOnly.exec(words)?.[1] ?? '',
  ] = separator.exec(words) ?? [];
  const from = first === '' ? undefined : parseWhen(first, context);
  if (typeof from === 'object') {
    return from;
  }
  const to = last === '' ? undefined : parseEnd(last, from, context);
  if (typeof to === 'object') {
    return to;
  }
  return from !== undefined && to !== undefined && to < from ? {error: 'The range ends before it begins'} : {from, to};
};

const parseEnd = (
  text: string,
  from: Instant | undefined,
  context: WhenContext,
): Instant | {readonly error: string} => {
  if (from === undefined) {
    return parseWhen(text, context);
  }
  if (text.startsWith('+')) {
    const ago = parseWhen(`-${text.slice(1)}`, context);
    return typeof ago === 'object' ? ago : from + (context.nowAt - ago);
  }
  return parseWhen(text, clock.test(text) ? {...context, nowAt: from + nanosPerDay} : context);
};
