import {entryAt, indexAtOrAfter, type LineBuffer} from '#log/buffer/buffer.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {type Instant, parseInstant} from '#log/line/instant.ts';
import {findText, type Texts} from '#log/window/texts.ts';
import {type PlaceFront, type ReadWindow, readWindow} from '#log/window/window-line.ts';
import {eachLine, type WindowLine, WindowLines} from '#log/window/window-lines.ts';
import {visitEach, type Work} from '#log/work.ts';
import {isNoChance} from '../completeness/find-front.ts';
import {beginsInsideLine, completePieces} from './grow-lines.ts';
import {findOverlap, matchRunsIn} from './overlap.ts';
import {addToList, findHeldStamps, type HeldSoFar, type HeldStamps, noHeldStamps, restampLines} from './restamp.ts';

const endsInBlank = (raws: Texts): boolean => raws.some(raw => raw !== raw.trimEnd());

const hasBlankEnds: (window: ReadWindow) => boolean = once(createWeakCache(), ({raws}: ReadWindow) =>
  endsInBlank(raws),
);

/**
 * Gives lines the white space at their end with which the last windows have them: of several replicas one may trim it.
 * Of copies, those that are there as they are stay.
 */
function* asLastShown(recent: readonly ReadWindow[], raws: Texts): Work<Texts> {
  if (!endsInBlank(raws) && !recent.some(hasBlankEnds)) {
    return raws;
  }
  const forms = new Map<string, string[]>();
  for (const window of recent) {
    const ofWindow = new Map<string, string[]>();
    yield* visitEach(window.raws, raw => addToList(ofWindow, raw.trimEnd(), raw));
    for (const [text, each] of ofWindow) {
      // The window with the most copies has the form of each.
      if (each.length > (forms.get(text)?.length ?? 0)) {
        forms.set(text, each);
      }
    }
  }
  const take = (raw: string, isSame: (form: string) => boolean): string | undefined => {
    const left = forms.get(raw.trimEnd());
    const place = left?.findIndex(isSame) ?? -1;
    return place === -1 ? undefined : left?.splice(place, 1)[0];
  };
  const shown: (string | undefined)[] = [];
  yield* visitEach(raws, raw => shown.push(take(raw, form => form === raw)));
  const all: string[] = [];
  yield* visitEach(raws, (raw, index) => all.push(shown[index] ?? take(raw, () => true) ?? raw));
  return all;
}

/** Fewer stamps in falling or rising order may be chance. */
const stepsMin = 3;
/** The order of a service that keeps to it shows in its first windows. */
const windowsToLearn = 3;
/** Fewer lines that an older answer shares may be ones that were sent a second time. */
const sharedLinesMin = 2;
/** This many lines show the order. */
const orderLinesMax = 1000;

type OrderedLines<T extends HeldSoFar> = {
  readonly raws: Texts;
  readonly isReversed: boolean;
  /** The log, whose last window is turned round if only this one shows that it was reversed. */
  readonly log: T;
};

/**
 * Puts the lines of an answer in the order in which they came: some services list the newest first. Stamps that only
 * fall show it; where clocks differ or are coarse, what the window shares with the one before does.
 */
export function* orderLines<T extends HeldSoFar>(log: T, lines: Texts): Work<OrderedLines<T>> {
  const {rises, falls} = countSteps(lines);
  const before = log.recent[0];
  const isMonotone = rises === 0 || falls === 0;
  if (isMonotone && Math.max(rises, falls) >= stepsMin) {
    return {raws: falls > 0 ? lines.toReversed() : lines, isReversed: falls > 0, log};
  }
  const raws = log.isReversed ? lines.toReversed() : lines;
  const asBefore = {raws, isReversed: log.isReversed, log};
  const mayShow = isMonotone || (!log.isReversed && log.recent.length <= windowsToLearn);
  // Where the windows join as they are, a line cut off at the front or not, nothing was turned round.
  if (
    before === undefined ||
    !mayShow ||
    (yield* findOverlap(before.raws, raws)) > 0 ||
    (yield* findOverlap(before.raws, raws.slice(1))) > 0
  ) {
    return asBefore;
  }
  const turned = raws.toReversed();
  const shared = yield* findOverlap(before.raws.toReversed(), turned);
  const stamped = new Set(
    [...eachLine(before.received, 0, shared)].filter(([, {textIndex}]) => textIndex !== 0).map(([, {key}]) => key),
  );
  const [along, against] = log.isReversed ? [falls, rises] : [rises, falls];
  const isTurned =
    stamped.size >= stepsMin &&
    // An older answer shares its end with the front of the one before, too, but begins with what is known; or it is
    // from before the log was opened, or lines of one source are listed ahead of those of another: then, as where all
    // lines have one time, no stamp falls.
    against > 0 &&
    against >= along &&
    !(yield* isKnownText(log, raws.at(0) ?? ''));
  return isTurned
    ? {
        raws: turned,
        isReversed: !log.isReversed,
        log: {...log, recent: [yield* reverseWindow(before), ...log.recent.slice(1)]},
      }
    : asBefore;
}

function* isKnownText({recent}: HeldSoFar, text: string): Work<boolean> {
  for (const {raws} of recent) {
    if ((yield* findText(raws, text)) !== -1) {
      return true;
    }
  }
  return false;
}

const countSteps = (lines: Texts): {readonly rises: number; readonly falls: number} => {
  let [rises, falls] = [0, 0];
  let last: bigint | undefined;
  for (const raw of lines.slice(0, orderLinesMax)) {
    const at = parseInstant(raw.slice(0, Math.max(0, raw.indexOf(' '))));
    if (at !== undefined && last !== undefined) {
      rises += Number(at > last);
      falls += Number(at < last);
      if (rises >= stepsMin && falls >= stepsMin) {
        break;
      }
    }
    last = at ?? last;
  }
  return {rises, falls};
};

function* reverseWindow(window: ReadWindow): Work<ReadWindow> {
  const raws = window.raws.toReversed();
  const received = new WindowLines(raws);
  for (let index = window.received.length - 1; index >= 0; index--) {
    const line = window.received.get(index);
    if (line !== undefined) {
      received.add(line);
    }
  }
  const lines = yield* received.sorted();
  return {...window, raws, received, lines, cameSorted: lines === received};
}

type NextWindow<T extends HeldSoFar> = {
  /** The log, with the window first that this one is compared with. */
  readonly log: T;
  readonly now: ReadWindow;
  /** Lines at the end of the previous window that this one begins with; 0 if unknown. */
  readonly overlap: number;
  /** How lines are held that this window shows with other stamps. */
  readonly heldStamps: HeldStamps;
};

/** Parses a window using the previous one: what both share is already known. */
export function* readNext<T extends HeldSoFar>(log: T, lines: Texts, serviceAt?: Instant): Work<NextWindow<T>> {
  // Empty answers are skipped.
  const {possiblyNewerWindow} = log;
  const before = log.recent[0];
  const placeFront = placeFrontAmong(log.buffer, serviceAt);
  if (before === undefined) {
    return {log, now: yield* readWindow(lines, placeFront), overlap: 0, heldStamps: noHeldStamps};
  }
  const asShown = yield* findStampedOverlap(before, lines);
  const given = asShown > 0 ? lines : yield* asLastShown(log.recent, lines);
  const fragment = beginsInsideLine(log.recent, given) ? lines.at(0) : undefined;
  const shown = completePieces(log, fragment === undefined ? given : given.slice(1));
  let {raws, stamps} = yield* restampLines(log.heldStamps, shown);
  let overlap = raws === lines ? asShown : yield* findStampedOverlap(before, raws);
  const others = overlap > 0 ? noHeldStamps : yield* findHeldStamps(before.raws, raws, log.heldStamps.size > 0);
  if (others.size > 0) {
    ({raws, stamps} = yield* restampLines(new Map([...stamps, ...others]), shown));
    overlap = yield* findStampedOverlap(before, raws);
  }
  if (possiblyNewerWindow !== undefined && (yield* continuesMore(possiblyNewerWindow, before, raws, overlap))) {
    // The last answers were older ones: this one continues the answer before them.
    const recent = [possiblyNewerWindow, ...log.recent.filter(window => window !== possiblyNewerWindow)];
    return yield* readNext({...log, possiblyNewerWindow: undefined, recent}, lines, serviceAt);
  }
  const known = overlap > 0 ? {lines: before.received, from: before.received.length - overlap} : undefined;
  const matchRun = known === undefined ? matchRunsIn(log.recent, raws) : undefined;
  return {log, now: yield* readWindow(raws, placeFront, {known, matchRun, fragment}), overlap, heldStamps: stamps};
}

function* findStampedOverlap(before: ReadWindow, raws: Texts): Work<number> {
  const overlap = yield* findOverlap(before.raws, raws);
  return isNoChance(before.received, before.received.length - overlap) ? overlap : 0;
}

/**
 * Checks whether lines continue one window rather than another, with which they overlap by so much: where they overlap
 * with neither, by how many lines they share.
 */
function* continuesMore(one: ReadWindow, other: ReadWindow, raws: Texts, overlap: number): Work<boolean> {
  const overlapOfOne = yield* findStampedOverlap(one, raws);
  return overlap > 0 || overlapOfOne > 0
    ? overlapOfOne > overlap
    : countShared(one, raws) > Math.max(sharedLinesMin, countShared(other, raws));
}

/** Counts lines with a timestamp that a window has. */
const countShared = ({received}: ReadWindow, raws: Texts): number => {
  const known = new Set(raws);
  return [...received.raws].filter((raw, index) => received.textIndexes[index] !== 0 && known.has(raw)).length;
};

/**
 * How far back to search for unreadable lines: they are matched with what is held nearby, not with the whole buffer.
 */
const searchEntriesMax = 20_000;

/**
 * Assigns times to lines without a readable timestamp at the front of a window that does not overlap the previous one.
 * Matches them by text with what is held, walking back from the first readable line; a new one takes the next readable
 * timestamp, or where none has any the service's time. Searches once, however many lines there are.
 */
const placeFrontAmong =
  (buffer: LineBuffer, serviceAt: Instant | undefined): PlaceFront =>
  (front, firstReadable) => {
    const fallback = firstReadable?.at ?? buffer.newestLine?.at ?? serviceAt ?? 0n;
    const endIndex = searchEnd(buffer, firstReadable);
    const places = unreadablePlaces(buffer, endIndex);
    let after = endIndex;
    // Later lines must not precede earlier ones: an unmatched line between matched ones goes with the one after it.
    let next = fallback;
    return front
      .toReversed()
      .map(raw => {
        const candidates = places.get(raw) ?? [];
        while ((candidates.at(-1) ?? -1) >= after) {
          candidates.pop();
        }
        const found = candidates.at(-1);
        after = found ?? after;
        next = (found === undefined ? undefined : entryAt(buffer, found)?.at) ?? next;
        return next;
      })
      .toReversed();
  };

/**
 * Returns the end of the held lines that may precede the first readable line: its own place. If it is not held, the
 * lines before it are not either: an equal text elsewhere is another line.
 */
const searchEnd = (buffer: LineBuffer, firstReadable: WindowLine | undefined): number => {
  if (firstReadable === undefined) {
    return buffer.entryCount;
  }
  for (let index = indexAtOrAfter(buffer, firstReadable.at); ; index++) {
    const entry = entryAt(buffer, index);
    if (entry?.at !== firstReadable.at) {
      return 0;
    }
    if (entry.kind === 'line' && entry.raw === firstReadable.raw) {
      return index;
    }
  }
};

/** Returns, for each unreadable text, the places where it is held below `endIndex`, in order. */
const unreadablePlaces = (buffer: LineBuffer, endIndex: number): ReadonlyMap<string, number[]> => {
  const places = new Map<string, number[]>();
  for (let index = Math.max(0, endIndex - searchEntriesMax); index < endIndex; index++) {
    const entry = entryAt(buffer, index);
    if (entry?.kind === 'line' && entry.textIndex === 0) {
      addToList(places, entry.raw, index);
    }
  }
  return places;
};
