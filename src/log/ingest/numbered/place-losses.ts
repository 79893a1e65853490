import type {BufferEdit} from '#log/buffer/buffer-edit.ts';
import type {GapMarker, SourceName} from '#log/line/entry.ts';
import {earliestOf, type Instant, laterOf, latestOf} from '#log/line/instant.ts';
import {coversSource} from '#log/line/tag-sources.ts';
import type {Loss, Numbering} from '#log/window/window-claims.ts';
import type {GrowingGap, Holes, Numbered, NumberedGap, ToldLoss} from '../numbered.ts';
import {lastNumberOf} from '../numbered.ts';
import {believed, endBy, endOfOpen, type LossesInput, passedSince, rangeOf} from './loss-range.ts';
import {byTime, type NumberedLine, type ReadNumbers} from './read-numbered.ts';

/** Losses that are remembered: more than a branch has sources that lose lines at once. */
const toldMax = 100;

/** This many answers with holes are no accident: the service leaves lines out on purpose, such as those of others. */
const holeAnswersMin = 3;
/** After so many answers without a hole another one has another reason; after fewer where it is no habit yet. */
const [cleanAnswersMax, cleanAnswersFirst] = [16, 4];

export type FoundGaps = {
  readonly gaps: readonly NumberedGap[];
  /** Markers that stand, with a range or a count that has grown. */
  readonly grown: readonly GapMarker[];
  readonly told: readonly ToldLoss<NumberedGap | GapMarker>[];
  readonly holes: Holes<NumberedGap | GapMarker> | undefined;
  readonly tail: GrowingGap<NumberedGap | GapMarker> | undefined;
};

/**
 * Returns the gaps of an answer: the losses that the service reports and that have no marker yet, and the numbers
 * without a line. A range is from the line before to the line after in the same source; where no source is named, from
 * the earliest of what the sources wrote last. A loss without a line after it ends with the service's time of the
 * answer; as soon as that line comes, its marker grows. Losses are told apart by their numbers, sources and
 * reasons, and those that share all by their count.
 */
export const findGaps = (input: LossesInput): FoundGaps => {
  const {before, numbering, named, read} = input;
  const waiting = [...(before?.told ?? [])];
  const told: ToldLoss<NumberedGap | GapMarker>[] = [];
  const gaps: NumberedGap[] = [];
  /** By id: several losses may share a marker, that of a new series. */
  const grown = new Map<number, GapMarker>();
  const explained = new Set<number>();
  /** The service will tell where they end: what came since may be of another source. */
  const unended = new Set<ToldLoss<NumberedGap | GapMarker>>();
  const grow = (known: ToldLoss, loss?: Loss): void => {
    const standing = grown.get(known.marker.id) ?? known.marker;
    const next = growLoss(input, {...known, marker: standing}, loss);
    if (next.marker !== standing) {
      grown.set(next.marker.id, next.marker);
    }
    told.push(next);
    if (loss !== undefined && loss.after !== undefined && loss.before === undefined) {
      unended.add(next);
    }
  };
  for (const loss of numbering.losses) {
    const source = loss.source === undefined ? undefined : named[loss.source];
    const missing = read.missing.find(({number}) => number === loss.number);
    const isMissing = missing !== undefined && loss.source === undefined;
    if (isMissing) {
      explained.add(loss.number);
    }
    const place = waiting.findIndex(
      each =>
        each.number === loss.number &&
        each.source === source &&
        each.why === loss.why &&
        (each.after === loss.after || each.after === undefined || loss.after === undefined),
    );
    const [known] = place === -1 ? [] : waiting.splice(place, 1);
    if (known !== undefined) {
      grow(known, loss);
      continue;
    }
    const isOfPast = before !== undefined && loss.number <= before.last;
    if (isOfPast && !isToldLate(before, loss)) {
      continue;
    }
    const beside = isOfPast ? besideIn(input, loss.number, source) : input;
    const next = firstFrom(beside.read.lines, loss.number, source);
    const itsRange = rangeOf(beside, loss, source, next);
    const isMore = isMissing && loss.lines !== missing.count;
    // The service does not report everything that has no line.
    const range = isMore ? {...itsRange, ...rangeOfAll([itsRange, gapOf(input, missing)])} : itsRange;
    const firstAt = read.lines[0]?.line.at;
    if (before === undefined && loss.number <= numbering.first && firstAt !== undefined && range.before <= firstAt) {
      // It is ahead of the log.
      continue;
    }
    const gap: NumberedGap = {
      ...range,
      // The line after it is held.
      ...(isOfPast && next !== undefined && {at: next.line.at - 1n}),
      reason: loss.isNoLine ? 'not-lines' : isMissing ? 'moved-on' : 'told',
      source,
      missingLines: isMissing ? linesOf(missing) : loss.lines,
      why: loss.why,
      proof: 'counted',
    };
    gaps.push(gap);
    const {number, after, count, why} = loss;
    const isOpen = next === undefined && believed(input, loss.before) === undefined && mayGrow(loss);
    told.push({number, source, after, count, why, marker: gap, isOpen});
  }
  for (const known of waiting) {
    grow(known);
  }
  const untold = before === undefined ? [] : read.missing.filter(({number}) => !explained.has(number));
  const [ahead, between] = splitHoles(input, untold);
  const goingOn = before?.tail;
  let tail: FoundGaps['tail'] = goingOn;
  for (const hole of ahead) {
    const {count, number} = hole;
    const gap = gapOf(input, hole);
    if (goingOn?.through === number - count - 1) {
      // No line came since that gap.
      const marker = {...goingOn.marker, ...joinGaps([goingOn.marker, gap]), grows: true};
      grown.set(marker.id, marker);
      tail = {marker, through: number - 1};
    } else {
      gaps.push(gap);
      tail = {marker: gap, through: number - 1};
    }
  }
  const isOpen = goingOn !== undefined && tail === goingOn && before?.last === goingOn.through;
  const next = isOpen ? firstFrom(read.lines, goingOn.through + 1, undefined) : undefined;
  if (isOpen && next !== undefined) {
    const range = rangeOfAll([goingOn.marker, rangeOf(input, {number: goingOn.through + 1}, undefined, next)]);
    if (range.after < goingOn.marker.after || range.before > goingOn.marker.before) {
      grown.set(goingOn.marker.id, {...goingOn.marker, ...range, grows: true});
    }
    tail = undefined;
  }
  const holes = foldHoles(input, between);
  if (holes !== undefined && holes.marker !== before?.holes?.marker) {
    if ('id' in holes.marker) {
      grown.set(holes.marker.id, holes.marker);
    } else {
      gaps.push(holes.marker);
    }
  }
  // An answer may tell any of them again; of too many, those that may still grow are kept.
  const isGrowing = (each: (typeof told)[number]): boolean =>
    each.isOpen || each.number > read.last || unended.has(each);
  const remembered = told.toSorted((a, b) => Number(isGrowing(a)) - Number(isGrowing(b))).slice(-toldMax);
  return {gaps, grown: [...grown.values()], told: remembered, holes, tail};
};

type Missing = ReadNumbers['missing'];

const gapOf = (input: LossesInput, hole: Missing[number]): NumberedGap => ({
  ...rangeOf(input, hole, undefined, firstFrom(input.read.lines, hole.number, undefined)),
  reason: 'moved-on',
  missingLines: linesOf(hole),
  proof: 'counted',
});

/** Returns how many lines are missing: those that came without a number are not. */
const linesOf = ({count, came = 0}: Missing[number]): number => count - came;

/**
 * Checks whether a loss ahead of a line that was read before is told for the first time: none that is remembered is the
 * same, and none was forgotten. One that stands for several was told with them; ahead of the first line it is none.
 */
const isToldLate = ({first, told}: Numbered, {number, count = 1}: Loss): boolean =>
  number > first && count === 1 && told.length < toldMax;

/** Returns the input to look for the neighbours of a loss among all lines of the answer, those read before included. */
const besideIn = (input: LossesInput, number: number, source: SourceName | undefined): LossesInput => {
  const lines = [...input.read.known.filter(({line}) => line.textIndex !== 0), ...input.read.lines].sort(byTime);
  const last = lines.findLast(each => each.number < number && (source === undefined || each.source === source));
  return {...input, before: undefined, oldest: last?.line.at ?? input.oldest, read: {...input.read, lines}};
};

/** Returns which holes are ahead of or after the lines of an answer, and which are between them. */
const splitHoles = ({before, read}: LossesInput, missing: Missing): readonly [Missing, Missing] => {
  const isBetween = ({count, number}: Missing[number]): boolean =>
    // Where holes are a habit, any is one; and a window that others were larger than had room for them.
    (before?.holes?.answers ?? 0) >= holeAnswersMin ||
    (read.lines.length > 0 && read.lines.length + count <= (before?.windowLines ?? 0)) ||
    ((number - count - 1 > (before?.last ?? 0) || read.showsLast) && number <= read.lastOfLines);
  return [missing.filter(each => !isBetween(each)), missing.filter(isBetween)];
};

/** Folds holes into one marker, together with those of the answers before. */
const foldHoles = (input: LossesInput, missing: Missing): Holes<NumberedGap | GapMarker> | undefined => {
  const standing = input.before?.holes;
  const [first] = missing;
  if (first === undefined) {
    const clean = (standing?.clean ?? 0) + (input.read.lines.length > 0 ? 1 : 0);
    return standing && clean <= (standing.answers < holeAnswersMin ? cleanAnswersFirst : cleanAnswersMax)
      ? {...standing, clean}
      : undefined;
  }
  const answers = (standing?.answers ?? 0) + 1;
  const found = missing.map(hole => gapOf(input, hole));
  const all = standing === undefined ? found : [standing.marker, ...found];
  const folded = {...joinGaps(all), reason: answers < holeAnswersMin ? 'moved-on' : 'left-out'} as const;
  const marker = standing ? {...standing.marker, ...folded, grows: true} : {...gapOf(input, first), ...folded};
  return {marker, answers, clean: 0};
};

/** Returns the range that holds those of several gaps, and how many lines are missing in all. */
const joinGaps = (gaps: readonly NumberedGap[]): Pick<NumberedGap, 'after' | 'before' | 'missingLines'> => ({
  ...rangeOfAll(gaps),
  missingLines: gaps.reduce((sum, {missingLines = 0}) => sum + missingLines, 0),
});

const rangeOfAll = (ranges: readonly Pick<NumberedGap, 'after' | 'before'>[]) => ({
  after: earliestOf(ranges.map(({after}) => after)) ?? 0n,
  before: latestOf(ranges.map(({before}) => before)) ?? 0n,
});

/** Returns the losses of an answer whose gap has another reason, as told by its marker. */
export const lossesWithin = (
  {losses}: Numbering,
  {lines}: Pick<ReadNumbers, 'lines'>,
  named: LossesInput['named'],
  marker: GapMarker,
): readonly ToldLoss[] =>
  losses
    .map((loss): ToldLoss => {
      const {number, after, count, why, before, source: index} = loss;
      const source = index === undefined ? undefined : named[index];
      const isOpen = before === undefined && firstFrom(lines, number, source) === undefined && mayGrow(loss);
      return {number, after, count, why, source, marker, isOpen};
    })
    .filter(({number, isOpen}) => isOpen || number > (lines.at(-1)?.number ?? 0))
    .slice(-toldMax);

/** Lines that had numbers came before the answer. */
const mayGrow = ({source, lines, isNoLine}: Loss): boolean =>
  isNoLine !== true && (source !== undefined || lines === undefined);

/** Returns a told loss with what this answer tells more of it: its ends, how many lines, and how many losses. */
const growLoss = (input: LossesInput, known: ToldLoss, loss: Loss | undefined): ToldLoss => {
  const {marker} = known;
  const told = believed(input, loss?.before);
  const next = known.isOpen ? firstFrom(input.read.lines, known.number, known.source) : undefined;
  const count = Math.max(known.count ?? 1, loss?.count ?? 1);
  const end = latestOf([
    told ?? (next && endBy(input, next)),
    count > (known.count ?? 1) ? endOfOpen(input, known.source) : undefined,
  ]);
  const hasEnded = told !== undefined || next?.line.textIndex !== 0;
  const after =
    earliestOf([
      marker.after,
      believed(input, loss?.after),
      // The clock was set back, or the line before has a stamp of none: the missing ones are of either time.
      hasEnded && end !== undefined && end < marker.after ? end - passedSince(input, known.source) : undefined,
    ]) ?? marker.after;
  const before = laterOf(marker.before, end ?? marker.before);
  const lines = marker.reason === 'told' ? latestCount(marker.missingLines, loss?.lines) : marker.missingLines;
  const hasGrown = after !== marker.after || before !== marker.before || lines !== marker.missingLines;
  return {
    ...known,
    count,
    isOpen: known.isOpen && told === undefined && next === undefined,
    marker: hasGrown ? {...marker, after, before, missingLines: lines, grows: true} : marker,
  };
};

const latestCount = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);

/** Returns the first line, by number, from a number on, of sources that another may stand for. */
const firstFrom = (
  lines: readonly NumberedLine[],
  from: number,
  source: SourceName | undefined,
): NumberedLine | undefined =>
  lines.reduce<NumberedLine | undefined>(
    (first, line) =>
      line.number >= from &&
      line.number < (first?.number ?? Number.POSITIVE_INFINITY) &&
      (source === undefined || (line.source !== undefined && coversSource(source, line.source)))
        ? line
        : first,
    undefined,
  );

/** Returns the last of the numbers that the service says have no line any more, if they follow the last line. */
export const lastTold = ({losses}: Numbering, last: number): number =>
  losses.some(({source, number, lines}) => source === undefined && lines !== undefined && number - lines - 1 === last)
    ? Math.max(...losses.map(({number}) => number - 1))
    : 0;

/** Returns the last number that an answer accounts for: that of a line, or of one that the service says is gone. */
export const lastAccounted = (numbering: Numbering, lineCount: number): number => {
  const shown = Math.max(numbering.last ?? numbering.first - 1, lastNumberOf(numbering, lineCount));
  return Math.max(shown, lastTold(numbering, shown));
};

/** Inserts the gaps, each ahead of the line that follows the loss, and replaces those that have grown. */
export const placeGaps = (
  edit: BufferEdit,
  {gaps, grown, told, holes, tail}: FoundGaps,
  newestHeld: Instant | undefined,
): {readonly markers: readonly GapMarker[]} & Pick<Numbered, 'told' | 'holes' | 'tail'> => {
  const placed = new Map<NumberedGap, GapMarker>();
  const added = gaps.map(gap => {
    const marker: GapMarker = {kind: 'gap', id: edit.takeId(), ...gap};
    // With nothing after it, a gap is after what was held.
    edit.insert(marker, newestHeld !== undefined && gap.at <= newestHeld ? undefined : 0);
    placed.set(gap, marker);
    return marker;
  });
  const placeOf = (marker: NumberedGap | GapMarker): GapMarker | undefined =>
    'id' in marker ? (grown.findLast(({id}) => id === marker.id) ?? marker) : placed.get(marker);
  const marker = holes && placeOf(holes.marker);
  const tailMarker = tail && placeOf(tail.marker);
  return {
    markers: [...grown.filter(each => edit.replace(each)), ...added],
    told: told.flatMap(each => {
      const its = placeOf(each.marker);
      return its === undefined ? [] : [{...each, marker: its}];
    }),
    holes: holes && marker && {...holes, marker},
    tail: tail && tailMarker && {...tail, marker: tailMarker},
  };
};
