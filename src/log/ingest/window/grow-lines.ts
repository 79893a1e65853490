import {firstIndexWhere} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import type {LineEntry} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Texts} from '#log/window/texts.ts';
import {type ReadWindow, readLine} from '#log/window/window-line.ts';
import {eachLine, keyOf, type WindowLine, WindowLines} from '#log/window/window-lines.ts';
import {visitEach, type Work} from '#log/work.ts';
import {createCopyCounter} from '../completeness/find-front.ts';
import {addToList, type HeldSoFar} from './restamp.ts';

/** No line without a timestamp is so long and the end of the line before it, but by chance. */
const tailLengthMin = 8;

/**
 * Checks whether a window begins in the middle of a line, as one cut by length does: its first line is the end of a
 * line that a recent window shows in full, or the same piece that was found there. Proof is the line that follows it in
 * both windows, or a piece of the timestamp in it; of the last line, which none follows, that it is not short. Once a
 * window was seen to begin like this, the end of any line shown before counts.
 */
export const beginsInsideLine = (recent: readonly ReadWindow[], raws: Texts): boolean => {
  const [front, second] = raws;
  // A window cut by bytes may begin inside a character, of which a decoder makes a replacement character.
  const first = front && withoutDecimals(front.replace(/^\uFFFD+/, '').trimEnd());
  if (first === undefined || second === undefined || readLine(front ?? '') !== undefined) {
    return false;
  }
  const cutsInside = recent.some(({fragment}) => fragment !== undefined);
  const text = first.replace(/^\S*Z /, '');
  // What follows the last line is new.
  const lastIndex = recent[0]?.raws.some(raw => raw === second) ? -1 : (recent[0]?.raws.length ?? 0) - 1;
  return recent.some(
    ({raws: before, received, fragment}) =>
      (front?.trimEnd() === fragment?.trimEnd() && received.get(0)?.raw === second) ||
      before.some(
        (raw, index) =>
          raw.length > first.length &&
          raw.trimEnd().endsWith(text) &&
          withoutDecimals(raw.trimEnd()).endsWith(first) &&
          (cutsInside ||
            beginsInStamp(received.get(index), first) ||
            (index === lastIndex && before === recent[0]?.raws && isLongTail(received.get(index), text)) ||
            withoutDecimals(before.at(index + 1) ?? '') === withoutDecimals(second)),
      ),
  );
};

/** Leaves out the decimals of a timestamp, or of the end of one: an answer may write others than the one before. */
const withoutDecimals = (raw: string): string =>
  raw.replace(/^(?:([^ .,]*)[.,]\d*|([^ .,]*:\d\d)|\d*)Z /, (_, cut = '', whole = '') => `${cut}${whole}Z `);

const isLongTail = (line: WindowLine | undefined, end: string): boolean =>
  line !== undefined && end.length >= tailLengthMin && end.length < line.raw.trimEnd().length - line.textIndex;

const beginsInStamp = (line: WindowLine | undefined, end: string): boolean =>
  line !== undefined && line.textIndex !== 0 && end.length > line.raw.length - line.textIndex + 1;

/** So many lines in a row that are gone are looked at to tell whether a piece left with them. */
const replacedMax = 1000;

/** Maximum pieces that are remembered: those of the last few answers. */
const piecesMax = 16;

type Growth<T extends HeldSoFar> = {
  /** The log as if the lines had been complete before. */
  readonly log: T;
  /** The complete lines, in place of the pieces that were handed out. */
  readonly grown: readonly LineEntry[];
};

/**
 * Looks for lines of the previous window that were read while they were being written: one is gone, and a new line has
 * its stamp and begins with the whole of it. The piece is replaced where it is held. `numbersTaken`: so many lines came
 * as the service counts them; those beyond are lines that grew, wherever they stand.
 */
export function* growLines<T extends HeldSoFar>(log: T, now: ReadWindow, numbersTaken?: number): Work<Growth<T>> {
  const before = log.recent[0];
  const pieces = before === undefined ? new Map<number, string>() : yield* findPieces(before, now, numbersTaken);
  if (before === undefined || pieces.size === 0) {
    return {log, grown: []};
  }
  const edit = editBuffer(log.buffer);
  const grown: LineEntry[] = [];
  // From the last on: of equal pieces, which several sources may have at once, the last is found first.
  for (const [index, raw] of [...pieces].reverse()) {
    const piece = before.received.get(index);
    const entry = piece && edit.entriesAt(piece.at).findLast(held => held.kind === 'line' && held.raw === piece.raw);
    if (entry?.kind === 'line') {
      const {textIndex} = readLine(raw) ?? entry;
      const line: LineEntry = {...entry, id: edit.takeId(), raw, textIndex, grown: true};
      edit.replace(line, entry.id);
      // What a line has more than white space was not shown.
      if (textOf(line) !== textOf(entry)) {
        grown.unshift(line);
      }
    }
  }
  const buffer = yield* edit.finishing();
  const complete = yield* replaceRaws(before, pieces);
  const all = [
    ...log.pieces,
    ...[...pieces].map(([index, raw]): [string, string] => [before.raws.at(index) ?? '', raw]),
  ];
  return {
    log: {...log, buffer, recent: [complete, ...log.recent.slice(1)], pieces: new Map(all.slice(-piecesMax))},
    grown,
  };
}

/** Returns the lines of an answer that shows nothing but what was there before, with what pieces among them became. */
export const completePieces = ({recent, pieces}: HeldSoFar, raws: Texts): Texts => {
  if (pieces.size === 0 || !raws.some(raw => pieces.has(raw))) {
    return raws;
  }
  const known = new Set(recent.flatMap(window => [...window.raws]));
  if (raws.some(raw => !known.has(raw) && !pieces.has(raw))) {
    return raws;
  }
  const present = new Set(raws);
  return Array.from(raws, raw => (present.has(completed(pieces, raw)) ? raw : completed(pieces, raw)));
};

/** A piece may have become a longer one first. */
const completed = (pieces: ReadonlyMap<string, string>, raw: string): string => {
  const line = pieces.get(raw);
  return line === undefined ? raw : completed(pieces, line);
};

/**
 * Returns the pieces among the lines of the previous window, by index, with the lines that they have become. A new line
 * goes on from a line that is gone, and
 * - is the only one with its stamp, as that was, or stands in its place, and none with that stamp left from within: of
 *   a source that is cut for itself a whole line may leave, and another come that begins with it, or
 * - stands after the same line, and from there on to the next that stays not as many came as left: where a source lost
 *   all its lines, others are in the place of each, or
 * - a line that has no copies stays ahead of it, and each that is gone after that has grown: older ones leave first, or
 * - it is one of as many as new lines came beyond the numbers that were taken.
 */
function* findPieces(
  before: ReadWindow,
  now: ReadWindow,
  numbersTaken: number | undefined,
): Work<ReadonlyMap<number, string>> {
  const [countNow, countBefore] = [createCopyCounter(now), createCopyCounter(before)];
  const gone: (readonly [index: number, line: WindowLine])[] = [];
  const staying: number[] = [];
  const passed = new Map<string, number>();
  const oldest = now.lines.timeAt(0);
  yield* visitEach(eachLine(before.received), ([index, line]) => {
    // Equal lines have equal times: one older than the whole window can be no piece of a line in it.
    if (oldest === undefined || line.at < oldest) {
      return;
    }
    const [copies, left] = [countBefore(line), countNow(line)];
    // Of equal lines the oldest leave first.
    const copy = copies === 1 ? 1 : (passed.get(line.key) ?? 0) + 1;
    if (copies > 1) {
      passed.set(line.key, copy);
    }
    if (copy <= copies - left) {
      gone.push([index, line]);
    } else if (line.textIndex !== 0 && copies === 1 && left === 1) {
      staying.push(index);
    }
  });
  const came = yield* findCame(now, new Set(gone.map(([, {at}]) => at)), line => countNow(line) > countBefore(line));
  const isStaying = (line: WindowLine | undefined): line is WindowLine =>
    line !== undefined && line.textIndex !== 0 && countBefore(line) === 1 && countNow(line) === 1;
  /** All lines from one place up to one that stays may have left, and as many others have come there. */
  const isReplaced = (from: number, place: number): boolean => {
    for (let count = 1; count < replacedMax; count++) {
      const next = before.received.get(from + count);
      if (next === undefined || isStaying(next)) {
        return count > 1 && (next === undefined || placeOf?.(next.raw) === place + count);
      }
    }
    return true;
  };
  const found = new Map<number, string>();
  const sure = new Set<number>();
  const between = new Set<number>();
  let placeOf: ((raw: string) => number) | undefined;
  for (const [index, piece] of gone.toReversed()) {
    const candidates = came.get(piece.at) ?? [];
    const start = firstIndexWhere(candidates.length, each => (candidates[each]?.text ?? '') >= textOf(piece));
    let end = start;
    for (let next = candidates[end]; next !== undefined && goesOn(next, piece); next = candidates[end]) {
      end += 1;
    }
    if (start === end) {
      continue;
    }
    placeOf ??= yield* placesIn(now.raws);
    const [last, next] = [before.received.get(index - 1), before.received.get(index + 1)];
    const place = last === undefined ? (isStaying(next) ? 0 : -1) : isStaying(last) ? placeOf(last.raw) + 1 : -1;
    const own = candidates.slice(start, end);
    const line = own.find(each => each.place === place) ?? own.reduce((a, b) => (b.place > a.place ? b : a));
    candidates.splice(candidates.indexOf(line), 1);
    found.set(index, line.raw);
    const isInPlace = line.place === place;
    if (isInPlace || (isAlone(before.lines, piece) && isAlone(now.lines, line))) {
      sure.add(index);
    }
    if (isInPlace && isStaying(last) && !isReplaced(index, line.place)) {
      between.add(index);
    }
    yield;
  }
  if (found.size === 0) {
    return found;
  }
  const left = gone.filter(([index, {textIndex}]) => textIndex !== 0 && !found.has(index));
  const lastLeft = left.at(-1)?.[0] ?? -1;
  const firstStaying = staying.find(index => index > lastLeft) ?? Number.POSITIVE_INFINITY;
  const [front = -1] = staying;
  const leftFromWithin = new Set(left.flatMap(([index, {at}]) => (index > front ? [at] : [])));
  const isProven = (index: number): boolean => {
    const piece = before.received.get(index);
    return (
      piece !== undefined &&
      (between.has(index) ||
        (sure.has(index) && !leftFromWithin.has(piece.at)) ||
        (index > firstStaying && piece.textIndex !== 0))
    );
  };
  const proven = [...found].filter(([index]) => isProven(index));
  const cameCount = numbersTaken === undefined ? 0 : yield* countCame(before, now);
  const more = Math.max(0, cameCount - proven.length - (numbersTaken ?? cameCount));
  const others = [...found].filter(([index]) => !isProven(index)).slice(0, more);
  return new Map([...proven, ...others].toSorted(([a], [b]) => a - b));
}

/** Counts the lines of a window that another has not, copies too. */
function* countCame(before: ReadWindow, now: ReadWindow): Work<number> {
  const counts = new Map<string, number>();
  yield* visitEach(eachLine(before.received), ([, {key}]) => counts.set(key, (counts.get(key) ?? 0) + 1));
  let came = 0;
  yield* visitEach(eachLine(now.received), ([, {key}]) => {
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    came += left > 0 ? 0 : 1;
  });
  return came;
}

type Candidate = WindowLine & {readonly text: string; readonly place: number};

/** Returns the new lines of times, ordered by their texts: those that begin alike follow each other. */
function* findCame(
  {received}: ReadWindow,
  times: ReadonlySet<Instant>,
  isNew: (line: WindowLine) => boolean,
): Work<ReadonlyMap<Instant, Candidate[]>> {
  const came = new Map<Instant, Candidate[]>();
  yield* visitEach(times.size === 0 ? [] : eachLine(received), ([place, line]) => {
    if (times.has(line.at) && isNew(line)) {
      addToList(came, line.at, {...line, text: textOf(line), place});
    }
  });
  for (const lines of came.values()) {
    lines.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.place - b.place));
  }
  return came;
}

const textOf = ({raw, textIndex}: Pick<WindowLine, 'raw' | 'textIndex'>): string => raw.slice(textIndex).trimEnd();

function* placesIn(raws: Texts): Work<(raw: string) => number> {
  const places = new Map<string, number>();
  yield* visitEach(raws, (raw, index) => places.set(raw, index));
  return raw => places.get(raw) ?? -2;
}

/**
 * Checks whether a line begins with all of the text of a piece. A replica may end what it has with white space of its
 * own.
 */
const goesOn = ({text, raw, textIndex}: Candidate, piece: WindowLine): boolean =>
  text.startsWith(textOf(piece)) &&
  (text.length > textOf(piece).length || raw.length - textIndex > piece.raw.length - piece.textIndex);

/** Checks whether no other line has a stamp with the time of one. */
const isAlone = (lines: WindowLines, {at, textIndex}: WindowLine): boolean => {
  const start = firstIndexWhere(lines.length, index => (lines.timeAt(index) ?? at) >= at);
  let count = 0;
  for (let index = start; count < 2 && lines.timeAt(index) === at; index++) {
    count += lines.hasStamp(index, index + 1) ? 1 : 0;
  }
  return textIndex !== 0 && count === 1;
};

/** Returns a window with other texts for some lines, whose times stay. */
function* replaceRaws(window: ReadWindow, changed: ReadonlyMap<number, string>): Work<ReadWindow> {
  const raws = Array.from(window.raws, (raw, index) => changed.get(index) ?? raw);
  const received = new WindowLines(raws);
  yield* visitEach(eachLine(window.received), ([index, line]) => {
    const raw = raws[index] ?? '';
    received.add(changed.has(index) ? withRaw(line, raw) : line);
  });
  return {...window, raws, received, lines: yield* received.sorted()};
}

const withRaw = ({at, textIndex}: WindowLine, raw: string): WindowLine =>
  readLine(raw) ?? {at, raw, textIndex, key: keyOf(at, raw, textIndex)};
