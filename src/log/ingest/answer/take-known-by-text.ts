import {type LineBuffer, sliceEntries} from '#log/buffer/buffer.ts';
import type {Entry, GapReason, LineEntry, SourceName} from '#log/line/entry.ts';
import {earliestOf, type Instant, latestOf, nanosPerSecond} from '#log/line/instant.ts';
import {type Numbering, proofOf} from '#log/window/window-claims.ts';
import {emptyReadWindow, readLine, readWindow} from '#log/window/window-line.ts';
import {eachLine, type WindowLine, WindowLines} from '#log/window/window-lines.ts';
import type {Work} from '#log/work.ts';
import {asEntries, insertAdded} from '../added.ts';
import {type BranchLog, type LogWindow, rememberSeries, rememberWindow} from '../branch-log.ts';
import {believableThrough, clockBounds, newestBelieved} from '../completeness/believe.ts';
import {learnedNothing} from '../completeness/learned.ts';
import {type WindowVerdict, whole} from '../completeness.ts';
import {type LineMerge, mergeLines} from '../merge/merge.ts';
import {lastAccounted, lastTold, lossesWithin} from '../numbered/place-losses.ts';
import {asWindowLines, missingThrough, type NumberedLine, readNumbered} from '../numbered/read-numbered.ts';
import {internSources, type Numbered} from '../numbered.ts';
import {nothingTaken, type WindowTaken} from '../take-unnumbered.ts';

/** Maximum answers with lines that wait for the next numbers: a proxy drops a field now and then. */
const unnumberedMax = 3;

/**
 * Takes an answer that does not go on from the numbers of the log, or has none: lines that are held are known by their
 * text. A new series joins nothing. One that contradicts itself is none any more. An answer without numbers waits for
 * the next one that has some; if they stay away, the log goes on as one that nobody counts.
 */
export function* ingestByText(log: BranchLog, window: LogWindow, isContradicted = false): Work<WindowTaken> {
  const numbering = isContradicted ? undefined : window.numbering;
  const named = numbering && internSources(log.numbered?.sources ?? new Map(), numbering);
  const read =
    numbering &&
    (yield* readNumbered(window.lines, numbering, -1, {
      named: named?.named ?? [],
      newest: new Map(),
      serviceAt: window.serviceAt,
    }));
  const now = yield* readWindow(read ? [] : window.lines, front =>
    front.map(() => newestOf(log) ?? window.serviceAt ?? 0n),
  );
  const unnumberedAnswers = (log.numbered?.unnumberedAnswers ?? 0) + (window.lines.length > 0 ? 1 : 0);
  const isWaiting = numbering === undefined && !isContradicted && unnumberedAnswers <= unnumberedMax;
  const given = read
    ? asWindowLines(withoutHeldFront(log, read.lines))
    : {lines: isWaiting ? withoutHeldUnstamped(log, now.lines) : now.lines};
  const {edit, added, tooLate} = yield* mergeKnown(log, window, given);
  // A stamp that is no clock's bounds nothing.
  const clock = clockBounds(given.lines, window.serviceAt);
  const isOfClock = ({at}: LineEntry): boolean => clock === undefined || at >= clock.from;
  const newest = latestOf([newestOf(log), newestBelieved(given.lines, clock?.through), window.serviceAt]) ?? 0n;
  const guess = gapUpTo(log, {
    // What came without numbers is in doubt, as is a time called whole by numbers that are no longer believed.
    oldest: earliestOf([
      added.find(isOfClock)?.at,
      ...[...(log.numbered?.cameByText.values() ?? [])].flat().map(line => (isOfClock(line) ? line.at : undefined)),
      isContradicted ? log.wholeSince : undefined,
    ]),
    newest,
    serviceAt: window.serviceAt,
    reason: isContradicted ? 'contradicted' : 'renumbered',
  });
  const verdict = isWaiting ? whole : guess;
  // Without numbers, only a line that is held shows that none is missing before the others.
  const isApart =
    log.buffer.entryCount > 0 && window.lines.length > 0 && added.length + tooLate.length === window.lines.length;
  const said = window.lines.length === 0 ? log.proof : proofOf(window);
  const proof = isContradicted ? 'inferred' : numbering === undefined ? said : 'counted';
  const gap = verdict.kind === 'gap' ? {...verdict, at: added.at(0)?.at ?? newest, proof} : undefined;
  const marker = gap && ({...gap, id: edit.takeId(), kind: 'gap'} as const);
  if (marker) {
    edit.insert(marker, 0);
  }
  const buffer = yield* edit.finishing();
  return {
    ...nothingTaken(log, Math.max(log.numbered?.windowLines ?? 0, window.lines.length)),
    log: {
      ...log,
      buffer,
      recent: isWaiting || numbering !== undefined ? [] : rememberWindow([], now, buffer),
      before: isWaiting || numbering !== undefined ? (log.before ?? emptyReadWindow) : now,
      learned: isContradicted
        ? {...learnedNothing, cameLately: added.length + tooLate.length}
        : numbering === undefined
          ? log.learned
          : learnedNothing,
      numbered: isWaiting
        ? log.numbered && {
            ...log.numbered,
            unnumberedAnswers,
            cameByText: addByText(log.numbered.cameByText, asEntries(added)),
            guess: isApart ? guess : log.numbered.guess,
          }
        : numbering &&
          read && {
            series: numbering.series,
            first: Number.POSITIVE_INFINITY,
            missingThrough: missingThrough(read),
            shown: read.shown,
            last: Math.max(read.last, lastTold(numbering, read.last)),
            sources: named?.sources ?? new Map(),
            newest: read.newest,
            lateness: read.lateness > nanosPerSecond ? read.lateness : nanosPerSecond,
            serviceAt: window.serviceAt,
            seenAfter: new Map(),
            told: marker === undefined ? [] : lossesWithin(numbering, read, named?.named ?? [], marker),
            holes: undefined,
            tail: undefined,
            windowLines: window.lines.length,
            unnumberedAnswers: 0,
            cameByText: new Map(),
          },
      wholeSince: latestOf([log.wholeSince, gap?.before]),
      proof,
      gapCount: log.gapCount + (gap === undefined ? 0 : 1),
      standingGap: undefined,
      olderSeries: rememberSeries(log, log.numbered, numbering?.series),
      ...(isContradicted && {
        said: {},
        distrusted: window.numbering && {
          series: window.numbering.series,
          last: lastAccounted(window.numbering, window.lines.length),
        },
      }),
    },
    added: insertAdded<Entry>(added, 0, marker === undefined ? [] : [marker]),
    tooLate,
    verdict,
  };
}

/** Takes the lines of an older answer that were missed, as their numbers tell, and believes nothing else of it. */
export function* takeMissed(log: BranchLog, window: LogWindow, numbering: Numbering): Work<WindowTaken> {
  const nothing = nothingTaken(log, log.numbered?.windowLines ?? 0);
  const {first = 0, missingThrough = 0} = log.numbered ?? {};
  const {named} = internSources(log.numbered?.sources ?? new Map(), numbering);
  const read = yield* readNumbered(window.lines, numbering, -1, {
    ...{named, newest: new Map(), serviceAt: window.serviceAt},
  });
  const missed = read.lines.filter(
    ({number, line}) =>
      number <= missingThrough && line.textIndex !== 0 && (number >= first || line.at >= (log.horizon ?? line.at)),
  );
  if (missed.length === 0) {
    return nothing;
  }
  const {edit, added, tooLate} = yield* mergeKnown(log, window, asWindowLines(missed));
  return added.length + tooLate.length === 0
    ? nothing
    : {...nothing, log: {...log, buffer: yield* edit.finishing()}, added, tooLate};
}

/** Among so many of the newest entries lines without a timestamp are looked for. */
const recentEntries = 4096;

/**
 * Leaves out lines without a timestamp that are held, if the line that gave them their time is no longer in the answer.
 */
const withoutHeldFront = ({buffer}: BranchLog, lines: readonly NumberedLine[]): readonly NumberedLine[] => {
  const stamped = new Set<SourceName | undefined>();
  const front = new Set<NumberedLine>();
  for (const each of [...lines].sort((a, b) => a.number - b.number)) {
    if (each.line.textIndex !== 0) {
      stamped.add(each.source);
    } else if (!stamped.has(each.source)) {
      front.add(each);
    }
  }
  if (front.size === 0) {
    return lines;
  }
  const isHeld = takeUnstamped(buffer);
  return lines.filter(each => !front.has(each) || !isHeld(each.line.raw));
};

/** Returns a function that checks whether a line without a timestamp is held, each copy once. */
const takeUnstamped = (buffer: LineBuffer): ((raw: string) => boolean) => {
  const counts = new Map<string, number>();
  for (const entry of sliceEntries(buffer, Math.max(0, buffer.entryCount - recentEntries), buffer.entryCount)) {
    if (entry.kind === 'line' && entry.textIndex === 0) {
      counts.set(entry.raw, (counts.get(entry.raw) ?? 0) + 1);
    }
  }
  return raw => {
    const left = counts.get(raw) ?? 0;
    counts.set(raw, left - 1);
    return left > 0;
  };
};

/** Leaves out lines without a timestamp that may be held: their number will tell whether they are new. */
const withoutHeldUnstamped = ({buffer}: BranchLog, lines: WindowLines): WindowLines => {
  if (lines.areStamped()) {
    return lines;
  }
  const isHeld = takeUnstamped(buffer);
  const kept = [...eachLine(lines)]
    .map(([, line]) => line)
    .filter(({raw, textIndex}) => textIndex !== 0 || !isHeld(raw));
  const all = new WindowLines(kept.map(({raw}) => raw));
  for (const line of kept) {
    all.add(line);
  }
  return all;
};

/** Merges lines that may be held, and are known by their text. */
const mergeKnown = (
  {buffer}: BranchLog,
  {serviceAt}: LogWindow,
  {lines, sourceOf}: {readonly lines: WindowLines; readonly sourceOf?: (line: WindowLine) => SourceName | undefined},
): Work<LineMerge> =>
  mergeLines({
    buffer,
    lines,
    knownCount: 0,
    // Evicted lines had been handed out.
    countSeen: () => Number.POSITIVE_INFINITY,
    believedThrough: believableThrough(lines, serviceAt),
    anchoredCount: lines.length,
    sourceOf,
  });

/**
 * The identity of a line that came without a number, however a replica ends it. Without a timestamp its time is that of
 * its neighbours.
 */
export const textKey = (raw: string): string => (readLine(raw)?.key ?? `\0${raw}`).trimEnd();

/** Adds lines that came without a number to those by their identity. */
export const addByText = (before: Numbered['cameByText'], lines: readonly LineEntry[]): Numbered['cameByText'] => {
  const all = new Map(before);
  for (const line of lines) {
    const key = textKey(line.raw);
    all.set(key, [...(all.get(key) ?? []), line]);
  }
  return all;
};

const newestOf = ({buffer}: BranchLog): Instant | undefined => buffer.newestLine?.at;

const gapUpTo = (
  log: BranchLog,
  {
    oldest,
    newest,
    serviceAt,
    reason,
  }: {
    readonly oldest: Instant | undefined;
    readonly newest: Instant;
    readonly serviceAt: Instant | undefined;
    readonly reason: GapReason;
  },
): WindowVerdict => {
  const {numbered} = log;
  const last = numbered === undefined ? log.before?.lines.timeAt(0) : earliestOf([...numbered.newest.values()]);
  const from =
    (earliestOf([last ?? newestOf(log) ?? newest, oldest]) ?? newest) - (numbered?.lateness ?? nanosPerSecond);
  const to =
    latestOf([
      newest,
      // The clock of a pod may be ahead.
      ...(serviceAt === undefined ? [] : [serviceAt + nanosPerSecond, ...clocksAt(serviceAt, numbered)]),
    ]) ?? newest;
  return {kind: 'gap', after: from < to ? from : to - nanosPerSecond, before: to, reason};
};

/** Returns what the clocks of the sources show at most, lines that are off by the usual among them. */
const clocksAt = (now: Instant, numbered: Numbered | undefined): readonly Instant[] =>
  [...(numbered?.newest ?? [])].map(
    ([of, at]) => at + now - (numbered?.seenAfter.get(of) ?? now) + (numbered?.lateness ?? 0n),
  );
