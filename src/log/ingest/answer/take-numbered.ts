import {type BufferEdit, editBuffer} from '#log/buffer/buffer-edit.ts';
import type {Entry, LineEntry, SourceName} from '#log/line/entry.ts';
import {type Instant, laterOf, latestOf, parseInstant} from '#log/line/instant.ts';
import type {Numbering} from '#log/window/window-claims.ts';
import {emptyReadWindow} from '#log/window/window-line.ts';
import {linesPerPause, type Work} from '#log/work.ts';
import {asEntries, lineEntryOf} from '../added.ts';
import type {BranchLog, LogWindow} from '../branch-log.ts';
import {believableThrough, clockBounds} from '../completeness/believe.ts';
import {whole} from '../completeness.ts';
import type {LineMerge} from '../merge/merge.ts';
import {findUnseen} from '../numbered/find-contradiction.ts';
import {findGaps, lastTold, placeGaps} from '../numbered/place-losses.ts';
import {
  byTime,
  joinShown,
  missingThrough,
  type NumberedLine,
  type ReadNumbers,
  readNumbered,
} from '../numbered/read-numbered.ts';
import {internSources, type Numbered} from '../numbered.ts';
import {comparePods, noPodChanges, type PodChanges} from '../pods.ts';
import {nothingTaken, type WindowTaken} from '../take-unnumbered.ts';
import {addByText, ingestByText, takeMissed, textKey} from './take-known-by-text.ts';

/** The least that lines are taken to be late: several threads write to one log. */
const latenessMin: Instant = 1_000_000_000n;

/**
 * Takes an answer whose lines have numbers into a log that goes on from it: after the last number, or from nothing.
 * The numbers decide alone: a line is new if and only if its number is higher than all before, and lines are missing if
 * and only if numbers are, or the service says so.
 */
export function* ingestByNumber(log: BranchLog, window: LogWindow, numbering: Numbering): Work<WindowTaken> {
  const before = log.numbered;
  const {sources, named} = internSources(before?.sources ?? new Map(), numbering);
  const newestBefore = before?.newest ?? new Map<SourceName | undefined, Instant>();
  const found = yield* readNumbered(window.lines, numbering, before?.last ?? -1, {
    named,
    newest: newestBefore,
    serviceAt: window.serviceAt,
    areEarlier: window.areEarlier,
  });
  const {isContradicted, unseen} =
    before === undefined
      ? {isContradicted: false, unseen: []}
      : findUnseen(log.buffer, before, {known: found.known, losses: numbering.losses});
  if (isContradicted) {
    return yield* ingestByText(log, window, true);
  }
  const lastKnown = numbering.losses.reduce((most, {number}) => Math.max(most, number - 1), found.last);
  if (before !== undefined && lastKnown < before.last) {
    // An older answer, of a cache or a replica, which may show what was missed.
    return yield* takeMissed(log, window, numbering);
  }
  if (found.missing.length > 0 && log.before !== undefined && !isDated(log, window, found)) {
    // Nothing says when that was. It is reported with the first line.
    return ignored(log);
  }
  const pods = log.before === undefined ? noPodChanges : comparePods(log.pods, window.pods);
  const newestHeld = log.buffer.newestLine?.at;
  const {edit, added, tooLate, unnumbered, isNew} = yield* mergeNew(
    log,
    window,
    unseen.length === 0 ? found.lines : [...unseen, ...found.lines].sort(byTime),
  );
  const {missing, awaited} = settleUnnumbered(found, {
    unnumbered,
    isNew,
    isFirst: before !== undefined && before.unnumberedAnswers > 0,
  });
  const read = {...found, missing};
  // A timestamp that comes from no clock bounds nothing.
  const clock = clockBounds(timesOf(read.lines), window.serviceAt, window.areEarlier ? [] : newestBefore.values());
  const isOfClock = ({line: {at}}: NumberedLine): boolean =>
    clock === undefined || (at >= clock.from && at <= clock.through);
  const shown = read.lines.filter(isOfClock);
  const oldestShown = log.buffer.chunks[0]?.firstAt ?? shown[0]?.line.at;
  const foundGaps = findGaps({
    before,
    numbering,
    named,
    read: {...read, lines: shown},
    oldest: clock === undefined || oldestShown === undefined ? oldestShown : laterOf(oldestShown, clock.from),
    newest: latestOf([newestHeld, shown.at(-1)?.line.at]),
    serviceAt: window.serviceAt,
  });
  const podMarkers = placePods(edit, pods, {
    newestHeld: newestHeld ?? window.serviceAt,
    endings: window.endings,
    newest: found.newest,
  });
  const {markers: gaps, told, holes, tail} = placeGaps(edit, foundGaps, newestHeld);
  const buffer = yield* edit.finishing();
  const windowLines = Math.max(before?.windowLines ?? 0, window.lines.length);
  const gap = gaps.at(-1);
  const last = Math.max(before?.last ?? 0, read.last, lastTold(numbering, read.last));
  const {areEarlier, heldFrom = log.heldFrom, heldTo = log.heldTo} = window;
  const heldAt = heldFrom?.why === 'unread' ? heldFrom.at : undefined;
  const oldest = areEarlier ? buffer.chunks[0]?.firstAt : (log.horizon ?? read.lines[0]?.line.at);
  const horizon = areEarlier || log.horizon === undefined ? (heldAt ?? oldest) : log.horizon;
  // A gap since then stays the end of what is whole.
  const isWholeToHorizon = areEarlier && log.wholeSince !== undefined && log.wholeSince === log.horizon;
  const wholeSince = isWholeToHorizon
    ? horizon
    : (log.wholeSince ?? latestOf([firstShown({...read, lines: shown}), heldAt]));
  return {
    log: {
      ...log,
      buffer,
      before: log.before ?? emptyReadWindow,
      numbered: {
        series: numbering.series,
        first: before?.first ?? numbering.first,
        last,
        missingThrough: missingThrough(read, before?.missingThrough),
        shown: joinShown(before?.shown ?? new Map(), read.shown),
        sources,
        newest: without(read.newest, pods),
        seenAfter: seenAfterOf(before, read.newest, window.serviceAt),
        lateness: laterOf(before?.lateness ?? latenessMin, areEarlier ? 0n : read.lateness),
        serviceAt: window.serviceAt,
        told,
        holes,
        tail,
        windowLines,
        unnumberedAnswers: 0,
        cameByText: addByText(new Map(), awaited),
        guess: awaited.length === 0 ? undefined : before?.guess,
      },
      pods: window.pods,
      horizon,
      heldFrom,
      heldTo,
      wholeSince: latestOf([wholeSince, ...gaps.map(each => each.before), ...foundGaps.grown.map(each => each.before)]),
      proof: 'counted',
      gapCount: log.gapCount + foundGaps.gaps.length,
      standingGap: undefined,
    },
    added: joinByTime(asEntries(added), [...podMarkers, ...gaps]),
    tooLate,
    verdict:
      gap === undefined ? whole : {kind: 'gap', after: gap.after, before: gap.before, reason: gap.reason ?? 'told'},
    overlapShare: read.missing.length > 0 ? 0 : 1 - (added.length + tooLate.length) / Math.max(1, windowLines),
    leftCount: before === undefined ? 0 : added.length + tooLate.length,
    cutsEachPod: false,
    shareLines: windowLines,
  };
}

/**
 * Returns what is missing of an answer without the lines that came without a number, and those of them whose number is
 * still to come: all where no number is missing; otherwise, in the first answer after them, those that are later than a
 * line that they had not come with, or than the one after the last hole. The others are among the missing ones.
 */
const settleUnnumbered = (
  {lines, missing, lastOfLines}: ReadNumbers,
  {
    unnumbered,
    isNew,
    isFirst,
  }: {
    readonly unnumbered: readonly LineEntry[];
    readonly isNew: (number: number) => boolean;
    readonly isFirst: boolean;
  },
): {readonly missing: ReadNumbers['missing']; readonly awaited: readonly LineEntry[]} => {
  const [first, ...others] = missing;
  if (first === undefined || unnumbered.length === 0) {
    return {missing, awaited: unnumbered};
  }
  if (!isFirst) {
    // They may have been among those that were missing before: nothing is proved by them any more.
    return {missing, awaited: []};
  }
  const newest = isNew(lastOfLines) ? lastOfLines : missing.at(-1)?.number;
  const newestAt = lines.find(({number}) => number === newest)?.line.at;
  const awaited = unnumbered.filter(({at}) => newestAt !== undefined && at > newestAt);
  const came = unnumbered.length - awaited.length;
  if (came === missing.reduce((sum, {count}) => sum + count, 0)) {
    return {missing: [], awaited};
  }
  const isPart = others.length === 0 && came < first.count;
  return {
    missing: isPart ? [{...first, came}] : missing,
    awaited: awaited.filter(({textIndex}) => textIndex !== 0),
  };
};

const isDated = ({buffer}: BranchLog, {serviceAt}: LogWindow, {lines}: ReadNumbers): boolean =>
  buffer.entryCount > 0 || lines.length > 0 || serviceAt !== undefined;

/** An answer of which nothing is believed. */
export const ignored = (log: BranchLog): WindowTaken => nothingTaken(log, log.numbered?.windowLines ?? 0);

const timesOf = (lines: readonly NumberedLine[]) => ({
  length: lines.length,
  timeAt: (index: number) => lines[index]?.line.at,
});

/**
 * Merges lines that are new by their numbers. Those that an answer without numbers brought get their place; the others
 * of them are `unnumbered`.
 */
function* mergeNew(
  {buffer, numbered}: BranchLog,
  window: LogWindow,
  lines: readonly NumberedLine[],
): Work<LineMerge & {readonly unnumbered: readonly LineEntry[]; readonly isNew: (number: number) => boolean}> {
  const byText = new Map(numbered?.cameByText);
  const edit = editBuffer(buffer, believableThrough(timesOf(lines), window.serviceAt));
  const newestAt = buffer.newestLine?.at;
  const added: LineEntry[] = [];
  const tooLate: LineEntry[] = [];
  const came = new Set<number>();
  for (const [index, {line, number, source}] of lines.entries()) {
    const {at} = line;
    const key = byText.size === 0 ? undefined : textKey(line.raw);
    const [held, ...others] = (key !== undefined && byText.get(key)) || [];
    if (key !== undefined && held !== undefined) {
      // It was handed out; its number tells its place and its source.
      byText.set(key, others);
      came.add(number);
      if (line.textIndex === 0) {
        edit.replace({...held, source});
      } else if (edit.entriesAt(held.at).some(({id}) => id === held.id)) {
        edit.remove(held);
        edit.insert(lineEntryOf(line, held.id, held.late, source));
      }
      continue;
    }
    const late = window.areEarlier !== true && newestAt !== undefined && at < newestAt;
    const entry = lineEntryOf(line, edit.takeId(), late, source);
    if (buffer.evictedThrough !== undefined && at <= buffer.evictedThrough) {
      tooLate.push(entry);
    } else {
      edit.insert(entry);
      added.push(entry);
    }
    if (index % linesPerPause === linesPerPause - 1) {
      yield;
    }
  }
  edit.addTooLate(tooLate.length);
  return {edit, added, tooLate, unnumbered: [...byText.values()].flat(), isNew: number => !came.has(number)};
}

/**
 * Inserts the markers of pods that came and went. What went was read to its end: a loss would have been told. Where it
 * is said how streams end, an end is after the last line of the stream, and before it began again.
 */
const placePods = (
  edit: BufferEdit,
  {appeared, gone}: PodChanges,
  {
    newestHeld,
    endings,
    newest,
  }: Pick<LogWindow, 'endings'> & Pick<Numbered, 'newest'> & {readonly newestHeld: Instant | undefined},
): Entry[] => {
  const findPlace = (name: string): Instant | undefined => {
    const startedAt = parseInstant(appeared.find(pod => pod.name === name)?.createdAt ?? '');
    const lastAt = latestOf([...newest].flatMap(([source, at]) => (source?.pod === name ? [at] : [])));
    // After that line, not before it.
    return endings && (startedAt ?? (lastAt === undefined ? undefined : lastAt + 1n));
  };
  return [
    ...gone.map(({name}) => ({change: 'gone', name, isWhole: true, ending: endings?.get(name)}) as const),
    ...appeared.map(({name}) => ({change: 'appeared', name, ending: endings && 'started'}) as const),
  ].map(change => {
    const marker: Entry = {
      kind: 'pod',
      id: edit.takeId(),
      at: findPlace(change.name) ?? newestHeld ?? 0n,
      since: undefined,
      ...change,
    };
    edit.insert(marker);
    return marker;
  });
};

/** Leaves out the sources of pods that went: they write nothing more. */
const without = (newest: Numbered['newest'], {gone}: PodChanges): Numbered['newest'] => {
  const names = new Set(gone.map(({name}) => name));
  return gone.length === 0 ? newest : new Map([...newest].filter(([source]) => !names.has(source?.pod ?? '')));
};

/** Returns the service's clock at the answer before each source's newest line, if it gives one. */
const seenAfterOf = (
  before: Numbered | undefined,
  newest: Numbered['newest'],
  serviceAt: Instant | undefined,
): Numbered['seenAfter'] => {
  const seen = before?.serviceAt ?? serviceAt;
  if (seen === undefined) {
    return new Map();
  }
  return new Map(
    [...newest].map(([of, at]) => [of, (before?.newest.get(of) === at && before.seenAfter.get(of)) || seen]),
  );
};

/** Returns the time since which the first answer is whole: that of the first line after which no number is missing. */
const firstShown = ({lines, missing}: ReadNumbers): Instant | undefined => {
  const front = missing.at(-1)?.number ?? 0;
  return front <= 1 ? lines[0]?.line.at : lines.find(({number}) => number === front)?.line.at;
};

/** Puts markers among lines: after what is earlier, ahead of what is at the same time. */
const joinByTime = (lines: readonly LineEntry[], markers: readonly Entry[]): readonly Entry[] => {
  if (markers.length === 0) {
    return lines;
  }
  const joined: Entry[] = [];
  const waiting = [...markers].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id - b.id));
  for (const line of lines) {
    for (let next = waiting[0]; next !== undefined && next.at <= line.at; next = waiting[0]) {
      joined.push(next);
      waiting.shift();
    }
    joined.push(line);
  }
  return [...joined, ...waiting];
};
