import {type BufferEdit, editBuffer} from '../buffer/buffer-edit.ts';
import type {Entry, LineEntry} from '../line/entry.ts';
import {type Instant, latestOf} from '../line/instant.ts';
import type {Numbering} from '../line/numbering.ts';
import type {SourceName} from '../line/source-name.ts';
import {emptyReadWindow} from '../line/window-line.ts';
import {WindowLines} from '../line/window-lines.ts';
import type {BranchLog, LogWindow} from '../merge/branch-log.ts';
import type {LineMerge} from '../merge/merge.ts';
import {comparePods, type PodChanges} from '../merge/pods.ts';
import type {WindowTaken} from '../merge/take-unnumbered.ts';
import {internSources, type Numbered} from '../numbered/numbered.ts';
import {findGaps, placeGaps} from '../numbered/place-losses.ts';
import {type NumberedLine, type NumberedLines, readNumbered} from '../numbered/read-numbered.ts';
import {believableThrough} from '../wholeness/believe.ts';
import {linesPerPause, type Work} from '../work/work.ts';
import {mergeKnown} from './take-known-by-text.ts';

/** The least that lines are taken to be late: several threads write to one log. */
const latenessMin: Instant = 1_000_000_000n;

/**
 * Takes an answer whose lines have numbers into a log that goes on from it: behind the last number, or from nothing.
 * The numbers decide alone: a line is new if and only if its number is higher than all before, and lines are missing if
 * and only if numbers are, or the service says so.
 */
export function* takingNumbered(log: BranchLog, window: LogWindow, numbering: Numbering): Work<WindowTaken> {
  const before = log.numbered;
  const {sources, named} = internSources(before?.sources ?? new Map(), numbering);
  const newestBefore = before?.newest ?? new Map<SourceName | undefined, Instant>();
  const found = yield* readNumbered(window.lines, numbering, before?.last ?? -1, {named, newest: newestBefore});
  const pods = log.before === undefined ? noChanges : comparePods(log.pods, window.pods);
  const newestHeld = log.buffer.newestLine?.at;
  const {edit, added, tooLate} = yield* mergeNew(log, window, found.lines);
  // As many lines came as there are numbers: those without one in between were all of them.
  const cameCount = added.length + tooLate.length;
  const areAllHere = before !== undefined && found.last - before.last === before.cameByText + cameCount;
  const read = areAllHere ? {...found, missing: []} : found;
  const oldestShown = log.buffer.chunks[0]?.firstAt ?? read.lines[0]?.line.at;
  const {gaps, told} = findGaps({
    before,
    numbering,
    named,
    read,
    oldest: oldestShown,
    newest: latestOf([newestHeld, read.lines.at(-1)?.line.at]),
    serviceAt: window.serviceAt,
  });
  const markers = [...placePods(edit, pods, newestHeld), ...placeGaps(edit, gaps, newestHeld)];
  const buffer = yield* edit.finishing();
  const windowLines = Math.max(before?.windowLines ?? 0, window.lines.length);
  const gap = gaps.at(-1);
  const wholeSince = log.wholeSince ?? firstShown(read);
  return {
    log: {
      ...log,
      buffer,
      before: log.before ?? emptyReadWindow,
      numbered: {
        series: numbering.series,
        last: Math.max(before?.last ?? 0, read.last),
        sources,
        newest: listed(read.newest, window),
        lateness: largest(before?.lateness ?? latenessMin, read.lateness),
        serviceAt: window.serviceAt,
        told,
        windowLines,
        unnumberedAnswers: 0,
        cameByText: 0,
      },
      pods: window.pods,
      horizon: log.horizon ?? read.lines[0]?.line.at,
      wholeSince: latestOf([wholeSince, ...gaps.map(each => each.before)]),
      proof: 'counted',
      gapCount: log.gapCount + gaps.length,
      standingGap: undefined,
    },
    added: joinByTime(added, markers),
    tooLate,
    verdict:
      gap === undefined
        ? {kind: 'whole'}
        : {kind: 'gap', after: gap.after, before: gap.before, reason: gap.reason ?? 'told'},
    overlapShare: read.missing.length > 0 ? 0 : 1 - (added.length + tooLate.length) / Math.max(1, windowLines),
    leftCount: before === undefined ? 0 : added.length + tooLate.length,
    cutsEachPod: false,
    shareLines: windowLines,
  };
}

const largest = (a: Instant, b: Instant): Instant => (a > b ? a : b);

const noChanges: PodChanges = {appeared: [], gone: []};

const timesOf = (lines: readonly NumberedLine[]) => ({
  length: lines.length,
  timeAt: (index: number) => lines[index]?.line.at,
});

/** Merges lines that are new by their numbers. Some may be held, if an answer without numbers brought them. */
function* mergeNew(log: BranchLog, window: LogWindow, lines: readonly NumberedLine[]): Work<LineMerge> {
  if (log.numbered?.unnumberedAnswers) {
    const known = new WindowLines(lines.map(({line}) => line.raw));
    for (const {line} of lines) {
      known.add(line);
    }
    const sources = new Map(lines.map(({line, source}) => [line.raw, source]));
    return yield* mergeKnown(log, {lines: known}, window, ({raw}) => sources.get(raw));
  }
  const {buffer} = log;
  const edit = editBuffer(buffer, believableThrough(timesOf(lines), window.serviceAt));
  const newestAt = buffer.newestLine?.at;
  const added: LineEntry[] = [];
  const tooLate: LineEntry[] = [];
  for (const [index, {line, source}] of lines.entries()) {
    const {at, raw, textIndex} = line;
    const late = newestAt !== undefined && at < newestAt;
    const entry: LineEntry = {kind: 'line', id: edit.takeId(), at, raw, textIndex, late, ...(source && {source})};
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
  return {edit, added, tooLate};
}

/** Inserts the markers of pods that came and went. What went was read to its end: a loss would have been told. */
const placePods = (edit: BufferEdit, {appeared, gone}: PodChanges, newestHeld: Instant | undefined): Entry[] =>
  [
    ...gone.map(({name}) => ({change: 'gone', name, isWhole: true}) as const),
    ...appeared.map(({name}) => ({change: 'appeared', name}) as const),
  ].map(change => {
    const marker: Entry = {kind: 'pod', id: edit.takeId(), at: newestHeld ?? 0n, since: undefined, ...change};
    edit.insert(marker);
    return marker;
  });

/** Leaves out the sources of pods that are gone: they write nothing more. */
const listed = (newest: Numbered['newest'], {pods}: LogWindow): Numbered['newest'] => {
  const names = new Set(pods.map(({name}) => name));
  const isGone = (source: SourceName | undefined): boolean => source?.pod !== undefined && !names.has(source.pod);
  return [...newest.keys()].some(isGone) ? new Map([...newest].filter(([source]) => !isGone(source))) : newest;
};

/** Returns the time since which the first answer is whole: that of the first line behind which no number is missing. */
const firstShown = ({lines, missing}: NumberedLines): Instant | undefined => {
  const front = missing.at(-1)?.number ?? 0;
  return front <= 1 ? lines[0]?.line.at : lines.find(({number}) => number === front)?.line.at;
};

/** Puts markers among lines: behind what is earlier, ahead of what is at the same time. */
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
