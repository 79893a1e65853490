import {entryAt, indexAtOrAfter, type LineBuffer} from '#log/buffer/buffer.ts';
import type {Instant} from '#log/line/instant.ts';
import type {WindowLine} from '#log/window/window-lines.ts';
import type {NumberedLine} from './read-numbered.ts';

/** Replicas may write the decimals of a stamp as far as one of these, in nanoseconds. */
const second: Instant = 1_000_000_000n;
const steps: readonly Instant[] = [second, 1_000_000n, 1_000n];
/** So many lines of one second are compared. */
const compareMax = 4096;

/**
 * Returns a line that was in no answer although its number was given before: then numbers stand for two lines, and
 * prove nothing. `missingThrough`: up to this number lines were missed, and may be shown now.
 */
export const findContradiction = (
  buffer: LineBuffer,
  known: readonly NumberedLine[],
  missingThrough: number,
): NumberedLine | undefined =>
  known.find(
    ({line, number}) =>
      number > missingThrough &&
      line.textIndex !== 0 &&
      (buffer.evictedThrough === undefined || line.at > buffer.evictedThrough) &&
      !isHeld(buffer, line),
  );

/** Checks whether a line is held, perhaps with other decimals or white space at its end, or not whole. */
const isHeld = (buffer: LineBuffer, {at, raw, textIndex}: WindowLine): boolean => {
  const text = raw.slice(textIndex).trimEnd();
  const from = at - (at % second);
  const find = (first: Instant, through: Instant): boolean => {
    const start = indexAtOrAfter(buffer, first);
    for (let index = start; index < start + compareMax; index++) {
      const entry = entryAt(buffer, index);
      if (entry === undefined || entry.at > through) {
        return false;
      }
      if (entry.kind === 'line' && entry.textIndex !== 0 && areOneTime(entry.at, at)) {
        const held = entry.raw.slice(entry.textIndex).trimEnd();
        if (held === text || held.startsWith(text) || text.startsWith(held)) {
          return true;
        }
      }
    }
    return false;
  };
  return find(at, at) || find(from, from + second);
};

const areOneTime = (a: Instant, b: Instant): boolean =>
  a === b || steps.some(step => (a % step === 0n || b % step === 0n) && a / step === b / step);
