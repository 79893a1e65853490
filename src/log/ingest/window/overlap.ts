import type {Instant} from '#log/line/instant.ts';
import {countEqual, findText, type Texts} from '#log/window/texts.ts';
import {type MatchRun, type ReadWindow, readLine} from '#log/window/window-line.ts';
import {eachLine, type WindowLine, type WindowLines} from '#log/window/window-lines.ts';
import {linesPerPause, visitEach, type Work} from '#log/work.ts';
import {bannerLinesMax} from '../completeness/find-front.ts';

type Times = readonly (Instant | undefined)[];

/** The most places to check for one text: stamps of whole seconds produce many equal lines. */
const placesMax = 16;

/**
 * Looks up runs of lines without a timestamp in the last windows, newest first. After a line that a window has too, the
 * run begins with what followed that line there; before such a line, it ends with what preceded it there. The rest may
 * be the end of a run whose head has left together with the lines before it: at the front of a window or source, or
 * after a line that is itself old. After a new line, the run belongs to that line and is new.
 */
export const matchRunsIn = (windows: readonly ReadWindow[], raws: Texts): MatchRun => {
  const places: Map<string, number[]>[] = [];
  let present: ReadonlySet<string> | undefined;
  let banners: ReadonlyMap<string, number> | undefined;
  function* placesIn(window: ReadWindow, index: number, raw: string | undefined): Work<readonly number[]> {
    const known = places[index] ?? (yield* placesOf(window));
    places[index] = known;
    return (raw === undefined ? undefined : known.get(raw)) ?? [];
  }
  return function* (run, {after: last, next, isAtFront}) {
    let tail: Times = [];
    banners ??= findRestamped(windows[0], raws);
    const place = banners.get(last ?? '');
    const at = place === undefined || next !== undefined ? undefined : windows[0]?.received.get(place + 1)?.at;
    if (at !== undefined) {
      // No line has a stamp but those that the service puts ahead: they still have the time that they had.
      return {times: run.map(() => at), guessedCount: 0};
    }
    const after = (place === undefined ? undefined : windows[0]?.raws.at(place)) ?? last;
    for (const [index, window] of windows.entries()) {
      const ends = yield* placesIn(window, index, next);
      // Among several copies, prefer the one after the same line.
      const sure = ends.filter(place => window.received.get(place - run.length - 1)?.raw === after);
      tail = longest([...sure, ...ends].map(place => matchEndingAt(window.received, run, place)));
      if (tail.length > 0) {
        break;
      }
    }
    const rest = run.slice(0, run.length - tail.length);
    let head: Times = [];
    let isAfterOld = false;
    for (const [index, window] of windows.entries()) {
      const found = yield* placesIn(window, index, after);
      isAfterOld ||= found.length > 0;
      head = longest(found.map(place => matchAfter(window.received, rest, place)));
      if (head.length > 0) {
        break;
      }
    }
    const middle = rest.slice(head.length);
    const unmatched = middle.map(() => undefined);
    if (middle.length > 0 && (isAtFront || isAfterOld)) {
      present ??= yield* setOf(raws);
      for (const {received} of windows) {
        yield;
        const found = matchHeadless(received, middle, present);
        if (found !== undefined) {
          // A text that occurs only once there is no coincidence. Any other match is a guess, made only if nothing else
          // is known.
          const texts = new Set(middle);
          const isGuess = hasTwice(received, texts);
          return isGuess && !isAtFront
            ? {times: [...head, ...unmatched, ...tail], guessedCount: 0}
            : {times: [...head, ...found, ...tail], guessedCount: isGuess ? middle.length : 0};
        }
      }
    }
    return {times: [...head, ...unmatched, ...tail], guessedCount: 0};
  };
};

/** Returns the lines at the front that differ only in their stamp from those in their place before, with that place. */
const findRestamped = (before: ReadWindow | undefined, raws: Texts): ReadonlyMap<string, number> =>
  new Map(
    Array.from(raws.slice(0, bannerLinesMax)).flatMap((raw, index): [string, number][] => {
      const [line, place] = [readLine(raw), before?.received.get(index)];
      const text = line?.raw.slice(line.textIndex);
      const isBanner =
        text !== undefined &&
        place !== undefined &&
        place.textIndex !== 0 &&
        place.at !== line?.at &&
        place.raw.slice(place.textIndex) === text &&
        !raws.some((each, at) => at !== index && each.endsWith(text)) &&
        before?.raws.some((each, at) => at !== index && each.endsWith(text)) === false;
      return isBanner ? [[raw, index]] : [];
    }),
  );

function* setOf(raws: Texts): Work<ReadonlySet<string>> {
  const set = new Set<string>();
  yield* visitEach(raws, raw => set.add(raw));
  return set;
}

function* placesOf({received}: ReadWindow): Work<Map<string, number[]>> {
  const places = new Map<string, number[]>();
  yield* visitEach(eachLine(received), ([index, {raw, textIndex}]) => {
    const found = places.get(raw);
    if (textIndex !== 0 && found === undefined) {
      places.set(raw, [index]);
    } else if (found !== undefined && found.length < placesMax) {
      found.push(index);
    }
  });
  return places;
}

/** Returns times for the last lines of a run that equal the lines before a place in a window. */
const matchEndingAt = (received: WindowLines, run: readonly string[], end: number): Times => {
  let count = 0;
  while (count < run.length && isUnstamped(received.get(end - count - 1), run[run.length - count - 1])) {
    count += 1;
  }
  return timesIn(received, end - count, end);
};

/** Returns times for the first lines of a run that equal the lines after a place in a window. */
const matchAfter = (received: WindowLines, run: readonly string[], place: number): Times => {
  let count = 0;
  while (count < run.length && isUnstamped(received.get(place + count + 1), run[count])) {
    count += 1;
  }
  return timesIn(received, place + 1, place + 1 + count);
};

const isUnstamped = (line: WindowLine | undefined, raw: string | undefined): boolean =>
  line !== undefined && line.textIndex === 0 && line.raw === raw;

/**
 * Returns times for a run that is the end of one in the window whose head is gone. A run at the very end of the window
 * may have grown. Any other run counts as old only if a line that came after it is still there: after a gap, an equal
 * text is a new line.
 */
const matchHeadless = (
  received: WindowLines,
  run: readonly string[],
  present: ReadonlySet<string>,
): Times | undefined => {
  const grown = matchGrown(received, run);
  if (grown !== undefined) {
    return grown;
  }
  const lastStayed = findLast(received, ({raw, textIndex}) => textIndex !== 0 && present.has(raw));
  for (let end = received.length; end >= run.length; end--) {
    if (received.get(end)?.textIndex === 0 || received.get(end - 1)?.textIndex !== 0) {
      continue;
    }
    const found = matchEndingAt(received, run, end);
    let head = end - run.length;
    while (received.get(head)?.textIndex === 0) {
      head -= 1;
    }
    const headRaw = received.get(head)?.raw;
    if (found.length === run.length && end <= lastStayed && (headRaw === undefined || !present.has(headRaw))) {
      return found;
    }
  }
  return undefined;
};

/** Returns times for the first lines of a run that are at the end of a window. */
const matchGrown = (received: WindowLines, run: readonly string[]): Times | undefined => {
  const first = findLast(received, ({textIndex}) => textIndex !== 0) + 1;
  const tailLength = received.length - first;
  for (let count = Math.min(tailLength, run.length); count > 0; count--) {
    const start = received.length - count;
    if (run.slice(0, count).every((raw, index) => raw === received.get(start + index)?.raw)) {
      return timesIn(received, start, received.length);
    }
  }
  return undefined;
};

const timesIn = (lines: WindowLines, start: number, end: number): Times =>
  Array.from({length: end - start}, (_, index) => lines.timeAt(start + index));

const findLast = (lines: WindowLines, matches: (line: WindowLine) => boolean): number => {
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines.get(index);
    if (line !== undefined && matches(line)) {
      return index;
    }
  }
  return -1;
};

/** Checks whether one of the texts occurs more than once. */
const hasTwice = (lines: WindowLines, texts: ReadonlySet<string>): boolean => {
  const seen = new Set<string>();
  for (const [, {raw}] of eachLine(lines)) {
    if (texts.has(raw) && seen.has(raw)) {
      return true;
    }
    seen.add(texts.has(raw) ? raw : '');
  }
  return false;
};

const longest = (found: readonly Times[]): Times =>
  found.reduce((best, each) => (each.length > best.length ? each : best), []);

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
