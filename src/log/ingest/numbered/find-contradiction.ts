import {entryAt, indexAtOrAfter, type LineBuffer} from '#log/buffer/buffer.ts';
import {type Instant, nanosPerSecond} from '#log/line/instant.ts';
import type {Loss} from '#log/window/window-claims.ts';
import {type ReadWindow, readLine} from '#log/window/window-line.ts';
import type {WindowLine} from '#log/window/window-lines.ts';
import type {Numbered} from '../numbered.ts';
import type {NumberedLine} from './read-numbered.ts';

/** Maximum lines of one second that are compared. */
const compareMax = 4096;

/**
 * Returns the lines of numbers that were given before and that were in no answer. `isContradicted`: one was not missed,
 * or a number stands for another line than before, or for none: then numbers prove nothing.
 */
export const findUnseen = (
  buffer: LineBuffer,
  {shown, missingThrough}: Pick<Numbered, 'shown' | 'missingThrough'>,
  {known, losses}: {readonly known: readonly NumberedLine[]; readonly losses: readonly Loss[]},
): {readonly isContradicted: boolean; readonly unseen: readonly NumberedLine[]} => {
  const unseen = known.filter(
    ({line, number}) =>
      !shown.has(number) &&
      line.textIndex !== 0 &&
      (buffer.evictedThrough === undefined || line.at > buffer.evictedThrough) &&
      !isHeld(buffer, line),
  );
  const isContradicted =
    unseen.some(({number}) => number > missingThrough) ||
    losses.some(({isNoLine, number}) => isNoLine === true && shown.has(number - 1)) ||
    known.some(({line, number}) => {
      const was = shown.get(number);
      return was !== undefined && was !== line.raw && !areOneLine(readAny(was), readAny(line.raw));
    });
  return {isContradicted, unseen};
};

type AnyLine = Pick<WindowLine, 'at' | 'raw' | 'textIndex'>;

const readAny = (raw: string): AnyLine => readLine(raw) ?? {at: 0n, raw, textIndex: 0};

/** Checks whether two lines are one, perhaps with other decimals or white space at its end, or not whole. */
const areOneLine = (a: AnyLine, b: AnyLine): boolean => {
  const [text, other] = [textOf(a), textOf(b)];
  return areOneTime(a, b) && (text.startsWith(other) || other.startsWith(text));
};

const isHeld = (buffer: LineBuffer, line: AnyLine, isMeant: (entry: AnyLine) => boolean = () => true): boolean => {
  const from = line.at - (line.at % nanosPerSecond);
  const find = (first: Instant, through: Instant): boolean => {
    const start = indexAtOrAfter(buffer, first);
    for (let index = start; index < start + compareMax; index++) {
      const entry = entryAt(buffer, index);
      if (entry === undefined || entry.at > through) {
        return false;
      }
      if (entry.kind === 'line' && entry.textIndex !== 0 && areOneLine(entry, line) && isMeant(entry)) {
        return true;
      }
    }
    return false;
  };
  return find(line.at, line.at) || find(from, from + nanosPerSecond);
};

/** Checks whether two stamps are one, which replicas may write to the second, millisecond or microsecond. */
const areOneTime = (a: AnyLine, b: AnyLine): boolean => {
  const step = 1000n ** BigInt(3 - Math.min(thousandsIn(a), thousandsIn(b)));
  return a.at / step === b.at / step;
};

/** Returns as how many groups of three the decimals of a stamp are written, zeros at its end maybe left out. */
const thousandsIn = ({raw, textIndex}: AnyLine): number =>
  Math.min(3, Math.ceil((/[.,](\d+)/.exec(raw.slice(0, textIndex))?.[1]?.length ?? 0) / 3));

/** Returns what checks whether a line is held with other decimals or ends, in a form that an answer does not show. */
export const createFormFinder = (
  buffer: LineBuffer,
  {raws}: Pick<ReadWindow, 'raws'>,
): ((line: AnyLine) => boolean) => {
  let shown: ReadonlySet<string> | undefined;
  return line => {
    shown ??= new Set(raws);
    return isHeld(
      buffer,
      line,
      entry => textOf(entry) === textOf(line) && entry.raw !== line.raw && shown?.has(entry.raw) === false,
    );
  };
};

const textOf = ({raw, textIndex}: AnyLine): string => raw.slice(textIndex).trimEnd();
