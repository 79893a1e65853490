import {firstIndexWhere} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import type {LineEntry} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Texts} from '#log/window/texts.ts';
import {type ReadWindow, readLine} from '#log/window/window-line.ts';
import {eachLine, keyOf, type WindowLine, WindowLines} from '#log/window/window-lines.ts';
import {linesPerPause, visitEach, type Work} from '#log/work.ts';
import {createCopyCounter} from '../completeness/find-front.ts';
import type {HeldSoFar} from './restamp.ts';

/**
 * Checks whether a window begins in the middle of a line, as one cut by length does: its first line is the end of a
 * line that a recent window shows in full, or the same piece that was found there. Proof is the line that follows it in
 * both windows, or a piece of the timestamp in it. Once a window was seen to begin like this, the end of any line shown
 * before counts.
 */
export const beginsInsideLine = (recent: readonly ReadWindow[], raws: Texts): boolean => {
  const [front, second] = raws;
  // A window cut by bytes may begin inside a character, of which a decoder makes a replacement character.
  const first = front?.replace(/^\uFFFD+/, '').trimEnd();
  if (first === undefined || second === undefined || readLine(first) !== undefined) {
    return false;
  }
  const cutsInside = recent.some(({fragment}) => fragment !== undefined);
  return recent.some(
    ({raws: before, received, fragment}) =>
      (front?.trimEnd() === fragment?.trimEnd() && received.get(0)?.raw === second) ||
      before.some(
        (raw, index) =>
          raw.length > first.length &&
          raw.trimEnd().endsWith(first) &&
          (cutsInside || beginsInStamp(received.get(index), first) || before.at(index + 1) === second),
      ),
  );
};

const beginsInStamp = (line: WindowLine | undefined, end: string): boolean =>
  line !== undefined && line.textIndex !== 0 && end.length > line.raw.length - line.textIndex + 1;

/** Maximum pieces that are remembered: those of the last few answers. */
const piecesMax = 16;
/** After a piece so many lines of other sources may have left at once. */
const nextLinesMax = 100;

type Growth<T extends HeldSoFar> = {
  /** The log as if the lines had been complete before. */
  readonly log: T;
  /** The complete lines, in place of the pieces that were handed out. */
  readonly grown: readonly LineEntry[];
};

/**
 * Looks for lines of the previous window that were read while they were being written: one is gone, and a new line has
 * its stamp and begins with the whole of it. The piece is replaced where it is held.
 */
export function* growLines<T extends HeldSoFar>(log: T, now: ReadWindow): Work<Growth<T>> {
  const before = log.recent[0];
  const pieces = before === undefined ? new Map<number, string>() : yield* findPieces(before, now);
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
      grown.unshift(line);
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

/** Returns the pieces among the lines of the previous window, by index, with the lines that they have become. */
function* findPieces(before: ReadWindow, now: ReadWindow): Work<ReadonlyMap<number, string>> {
  const pieces = new Map<number, string>();
  const oldest = now.lines.timeAt(0);
  if (oldest === undefined) {
    return pieces;
  }
  const [countNow, countBefore] = [createCopyCounter(now), createCopyCounter(before)];
  const taken = new Set<string>();
  let places: ReadonlyMap<string, number> | undefined;
  const isUnique = (line: WindowLine | undefined): boolean =>
    line === undefined || (countBefore(line) === 1 && countNow(line) <= 1);
  for (let index = 0; index < before.received.length; index++) {
    const piece = before.received.get(index);
    // Equal lines have equal times: one older than the whole window can be no piece of a line in it.
    if (piece !== undefined && piece.at >= oldest && countNow(piece) === 0) {
      places ??= yield* placesIn(now.raws);
      const alone = onlyAt(before.lines, piece.at) === undefined ? undefined : onlyAt(now.lines, piece.at);
      // One of several lines with one stamp may begin like another: then its place decides.
      const isBesideUnique =
        (pieces.has(index - 1) || isUnique(before.received.get(index - 1))) && isUnique(before.received.get(index + 1));
      const line = alone ?? (isBesideUnique ? lineInPlace(before, index, now, places, pieces) : undefined);
      if (line !== undefined && goesOn(line, piece) && !taken.has(line.raw) && countBefore(line) === 0) {
        pieces.set(index, line.raw);
        taken.add(line.raw);
      }
    }
    if (index % linesPerPause === 0) {
      yield;
    }
  }
  return pieces;
}

function* placesIn(raws: Texts): Work<ReadonlyMap<string, number>> {
  const places = new Map<string, number>();
  yield* visitEach(raws, (raw, index) => places.set(raw, index));
  return places;
}

/** Checks whether a line has the time of another and begins with all of its text, however their stamps are written. */
const goesOn = (line: WindowLine, piece: WindowLine): boolean => {
  const [text, begun] = [line.raw.slice(line.textIndex), piece.raw.slice(piece.textIndex)];
  return line.at === piece.at && text.length > begun.length && text.startsWith(begun);
};

/** Returns the line of a time if there is only one. */
const onlyAt = (lines: WindowLines, at: Instant): WindowLine | undefined => {
  const start = firstIndexWhere(lines.length, index => (lines.timeAt(index) ?? at) >= at);
  return lines.timeAt(start) === at && lines.timeAt(start + 1) !== at ? lines.get(start) : undefined;
};

/**
 * Returns the line that stands where a piece stood: after the same line, and before what followed the piece, as far as
 * that is still there, which is of another source then. Each may itself have grown. Lines without a stamp and copies
 * prove nothing.
 */
const lineInPlace = (
  before: ReadWindow,
  index: number,
  now: ReadWindow,
  places: ReadonlyMap<string, number>,
  pieces: ReadonlyMap<number, string>,
): WindowLine | undefined => {
  const [last, next] = [before.received.get(index - 1), before.received.get(index + 1)];
  const lastPlace = last === undefined ? -1 : places.get(pieces.get(index - 1) ?? last.raw);
  if (lastPlace === undefined || last?.textIndex === 0 || next?.textIndex === 0) {
    return undefined;
  }
  const line = now.received.get(lastPlace + 1);
  if (next === undefined || (last !== undefined && now.raws.at(lastPlace + 2)?.startsWith(next.raw) === true)) {
    return last === undefined ? undefined : line;
  }
  const isBeforeNext =
    places.has(next.raw) ||
    (last !== undefined &&
      placeOfNext(before, index, places) > lastPlace + 1 &&
      isOnlyBeginning(now.lines, before.received.get(index), line));
  return isBeforeNext ? line : undefined;
};

/** Checks whether no other line of a time begins with a piece. */
const isOnlyBeginning = (lines: WindowLines, piece: WindowLine | undefined, line: WindowLine | undefined): boolean => {
  const at = piece?.at ?? 0n;
  const start = firstIndexWhere(lines.length, index => (lines.timeAt(index) ?? at) >= at);
  for (let index = start; lines.timeAt(index) === at; index++) {
    const other = lines.get(index);
    if (other !== undefined && other.raw !== line?.raw && piece !== undefined && goesOn(other, piece)) {
      return false;
    }
  }
  return true;
};

/** Returns the place of the next line after a piece that is still there; -1 if none of the next ones is. */
const placeOfNext = (before: ReadWindow, index: number, places: ReadonlyMap<string, number>): number => {
  for (let next = index + 1; next <= index + nextLinesMax; next++) {
    const place = places.get(before.raws.at(next) ?? '');
    if (place !== undefined) {
      return place;
    }
  }
  return -1;
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
