import type {LineEntry} from '#log/line/entry.ts';
import type {WindowLine} from '#log/window/window-lines.ts';
import {eachLine} from '#log/window/window-lines.ts';
import {type AccountInput, type Counts, countIn, countKey, countKeys} from './counts.ts';

/** Lines at the front of a window that may be what is left of one, a banner among them. */
const frontMax = 5;

type KnownInput = Pick<
  AccountInput,
  'before' | 'now' | 'least' | 'most' | 'kind' | 'tooLate' | 'cut' | 'isHeldInOtherForm'
>;

/**
 * Returns the lines that are known although their texts are new: what is left of a line at the front, lines in another
 * form, and those without a timestamp that follow another line than before. No more than came beyond the numbers.
 */
export const findKnown = (input: KnownInput, entries: readonly LineEntry[]): ReadonlySet<LineEntry> => {
  const {least, most, kind, tooLate, isHeldInOtherForm} = input;
  const known = new Set<LineEntry>();
  const isOver = (bound: number): boolean => entries.length + tooLate - known.size > bound;
  const take = (found: Iterable<LineEntry>, bound: number): void => {
    for (const entry of found) {
      if (!isOver(bound)) {
        return;
      }
      known.add(entry);
    }
  };
  const unstamped = entries.filter(({textIndex}) => textIndex === 0);
  if (unstamped.length > 0 && isOver(most)) {
    take(findEnds(input, unstamped), most);
  }
  const bound = kind === 'joins' ? most : least;
  if (kind !== 'renumbered' && isOver(bound)) {
    take(
      entries.filter(entry => entry.textIndex !== 0 && isHeldInOtherForm(entry)),
      bound,
    );
  }
  if (unstamped.length > 0 && isOver(least)) {
    const isNew = new Set(entries.map(countKey));
    take(
      findMoved(
        input,
        unstamped.filter(entry => !known.has(entry)),
        isNew,
      ),
      least,
    );
  }
  return known;
};

/** Finds what is left of a line at the front of a window that is cut by its length. */
const findEnds = ({before, now}: KnownInput, unstamped: readonly LineEntry[]): readonly LineEntry[] => {
  const front = new Set([...now.raws.slice(0, frontMax), now.raws.at(-1)]);
  return unstamped.filter(
    ({raw}) => front.has(raw) && [...eachLine(before.received)].some(([, line]) => isEnd(raw, line)),
  );
};

/** Checks whether a text is the end of a line, perhaps from within its stamp, which may be written in another form. */
const isEnd = (text: string, {raw, textIndex}: WindowLine): boolean => {
  const end = text.replace(/^\uFFFD+/, '').trimEnd();
  const behindStamp = /^[\dT:.,+-]*Z (.*)$/s.exec(end)?.[1];
  return (
    (raw.length > end.length && raw.trimEnd().endsWith(end)) ||
    (behindStamp !== undefined && textIndex !== 0 && raw.slice(textIndex).trimEnd() === behindStamp)
  );
};

/**
 * Finds lines without a timestamp that stay though the line that they follow left; in a window that is cut as one,
 * those of one line. After a loss, which is marked, only those whose text has no more copies than before, or all at the
 * front: there others may have come.
 */
const findMoved = (
  {before, now, kind, cut}: KnownInput,
  unstamped: readonly LineEntry[],
  isNew: ReadonlySet<string>,
): readonly LineEntry[] => {
  const [were, are] = [countUnstamped(before.raws), countUnstamped(now.raws)];
  const movable = new Map(
    [...countKeys(unstamped.map(countKey))].map(([key, count]) => [
      key,
      countIn(were, key) - (countIn(are, key) - count),
    ]),
  );
  const frontCount = Array.from(now.raws).findIndex(raw => countIn(movable, keyOfText(raw)) <= 0);
  const waiting = Map.groupBy(unstamped, ({at, raw}) => `${at} ${raw}`);
  const found: {readonly entry: LineEntry; readonly run: number; readonly isBehindNew: boolean}[] = [];
  let [run, isBehindNew] = [0, false];
  for (const [index, line] of eachLine(now.received)) {
    if (line.textIndex !== 0) {
      [run, isBehindNew] = [index, isNew.has(countKey(line))];
      continue;
    }
    const entry = waiting.get(`${line.at} ${line.raw}`)?.shift();
    const key = countKey(line);
    const isSure =
      kind === 'joins' || kind === 'stale' || countIn(were, key) >= countIn(are, key) || index < frontCount;
    if (entry !== undefined && isSure) {
      found.push({entry, run, isBehindNew});
    }
  }
  let onlyRun: number | undefined;
  return found
    .toSorted((a, b) => Number(a.isBehindNew) - Number(b.isBehindNew))
    .filter(each => {
      const key = countKey(each.entry);
      const left = countIn(movable, key);
      const isOnly = countIn(were, key) === 1 && countIn(are, key) === 1;
      if (left <= 0 || !(isOnly || cut !== 'branch' || (onlyRun ?? each.run) === each.run)) {
        return false;
      }
      movable.set(key, left - 1);
      onlyRun = isOnly ? onlyRun : each.run;
      return true;
    })
    .map(({entry}) => entry);
};

const keyOfText = (raw: string): string => countKey({raw, textIndex: 0, at: 0n});

const countUnstamped = (raws: Iterable<string>): Counts => countKeys(Array.from(raws, keyOfText));
