import {countEqual, findText, type Texts} from '#log/window/texts.ts';
import {linesPerPause, type Work} from '#log/work.ts';

/**
 * Counts the lines at the end of the previous window that repeat at the front of this one: the longest such run, found
 * in time linear in both (Knuth, Morris and Pratt, 1977), so that a thousand equal lines cost no more than a thousand
 * different ones.
 */
export function* findOverlap(before: Texts, now: Texts): Work<number> {
  if (before.length === 0 || now.length === 0) {
    return 0;
  }
  // A run can't be longer than either window, so only the last lines of the previous window matter.
  const start = Math.max(0, before.length - now.length);
  const quick = yield* findAligned(before, now, start);
  if (quick !== undefined) {
    return quick;
  }
  const fallback = yield* fallbackLengths(now);
  let matched = 0;
  for (let index = start; index < before.length; index++) {
    const line = before.at(index);
    while (matched > 0 && (matched === now.length || now.at(matched) !== line)) {
      matched = fallback[matched - 1] ?? 0;
    }
    if (now.at(matched) === line) {
      matched += 1;
    }
    if (index % linesPerPause === 0) {
      yield;
    }
  }
  return matched;
}

/** How many places are tried one by one; a log that repeats one line has many. */
const triesMax = 4;

/** Looks for this window's first line, which is nearly always there once or never. Undefined: in too many places. */
function* findAligned(before: Texts, now: Texts, start: number): Work<number | undefined> {
  const first = now.at(0) ?? '';
  let place = yield* findText(before, first, start);
  for (let tried = 0; tried < triesMax && place !== -1; tried++) {
    const length = before.length - place;
    if ((yield* countEqual(before, place, now, 0)) === length) {
      return length;
    }
    place = yield* findText(before, first, place + 1);
  }
  return place === -1 ? 0 : undefined;
}

/** Returns, for each prefix of the lines, the length of its longest proper prefix that is also its suffix. */
function* fallbackLengths(lines: Texts): Work<Uint32Array> {
  const lengths = new Uint32Array(lines.length);
  let matched = 0;
  for (let index = 1; index < lines.length; index++) {
    while (matched > 0 && lines.at(index) !== lines.at(matched)) {
      matched = lengths[matched - 1] ?? 0;
    }
    if (lines.at(index) === lines.at(matched)) {
      matched += 1;
    }
    lengths[index] = matched;
    if (index % linesPerPause === 0) {
      yield;
    }
  }
  return lengths;
}
