import {earliestOf, type Instant, latestOf} from '../line/instant.ts';
import type {SourceName} from '../line/source-name.ts';
import {proofOf} from '../line/window-cut.ts';
import {emptyReadWindow, type ReadWindow, readWindow} from '../line/window-line.ts';
import type {WindowLine} from '../line/window-lines.ts';
import type {BranchLog, LogWindow} from '../merge/branch-log.ts';
import {type LineMerge, mergeLines} from '../merge/merge.ts';
import {rememberWindow} from '../merge/recent-windows.ts';
import type {WindowTaken} from '../merge/take-unnumbered.ts';
import {internSources, type Numbered, sourceIndexesOf} from '../numbered/numbered.ts';
import {readNumbered} from '../numbered/read-numbered.ts';
import {believableThrough} from '../wholeness/believe.ts';
import {learnedNothing} from '../wholeness/learned.ts';
import type {Verdict} from '../wholeness/wholeness.ts';
import type {Work} from '../work/work.ts';

/** So many answers with lines wait for the next numbers: a proxy drops a field now and then. */
const unnumberedMax = 3;
const second: Instant = 1_000_000_000n;

/**
 * Takes an answer that does not go on from the numbers of the log, or has none: lines that are held are known by their
 * text. A new series joins nothing. An answer without numbers waits for the next one that has some; if they stay away,
 * the log goes on as one that nobody counts.
 */
export function* takingByText(log: BranchLog, window: LogWindow): Work<WindowTaken> {
  const {numbering} = window;
  const now = yield* readWindow(window.lines, (front, next) => front.map(() => next?.at ?? newestOf(log) ?? 0n));
  const sourceOf = numbering === undefined ? undefined : sourcesByText(log.numbered?.sources, window);
  const {edit, added, tooLate} = yield* mergeKnown(log, now, window, sourceOf);
  const unnumberedAnswers = (log.numbered?.unnumberedAnswers ?? 0) + (window.lines.length > 0 ? 1 : 0);
  const isWaiting = numbering === undefined && unnumberedAnswers <= unnumberedMax;
  const newest = latestOf([newestOf(log), now.lines.timeAt(now.lines.length - 1)]) ?? 0n;
  const verdict: Verdict = isWaiting ? {kind: 'whole'} : gapUpTo(log, newest, window.serviceAt);
  const proof = numbering === undefined ? proofOf(window) : 'counted';
  const gap = verdict.kind === 'gap' ? {...verdict, at: added[0]?.at ?? newest, proof} : undefined;
  const marker = gap && ({...gap, id: edit.takeId(), kind: 'gap'} as const);
  if (marker) {
    edit.insert(marker, 0);
  }
  const buffer = yield* edit.finishing();
  return {
    log: {
      ...log,
      buffer,
      recent: isWaiting || numbering !== undefined ? [] : rememberWindow([], now, buffer),
      before: isWaiting || numbering !== undefined ? (log.before ?? emptyReadWindow) : now,
      learned: numbering === undefined ? log.learned : learnedNothing,
      numbered: isWaiting
        ? log.numbered && {...log.numbered, unnumberedAnswers, cameByText: log.numbered.cameByText + added.length}
        : numbering && (yield* beginAnew(log.numbered?.sources, window)),
      pods: window.pods,
      wholeSince: latestOf([log.wholeSince, gap?.before]),
      proof,
      gapCount: log.gapCount + (gap === undefined ? 0 : 1),
      standingGap: undefined,
    },
    added: marker === undefined ? added : [marker, ...added],
    tooLate,
    verdict,
    overlapShare: 1,
    leftCount: 0,
    cutsEachPod: false,
    shareLines: Math.max(log.numbered?.windowLines ?? 0, window.lines.length),
  };
}

/** Merges lines that may be held, and are known by their text. */
export const mergeKnown = (
  {buffer}: BranchLog,
  {lines}: Pick<ReadWindow, 'lines'>,
  {serviceAt}: LogWindow,
  sourceOf?: (line: WindowLine) => SourceName | undefined,
): Work<LineMerge> =>
  mergeLines({
    buffer,
    lines,
    knownCount: 0,
    // What the buffer let go of was handed out.
    countSeen: () => Number.POSITIVE_INFINITY,
    believedThrough: believableThrough(lines, serviceAt),
    anchoredCount: lines.length,
    sourceOf,
  });

const newestOf = ({buffer}: BranchLog): Instant | undefined => buffer.newestLine?.at;

const gapUpTo = (log: BranchLog, newest: Instant, serviceAt: Instant | undefined): Verdict => {
  const {numbered} = log;
  const last = numbered === undefined ? log.before?.lines.timeAt(0) : earliestOf([...numbered.newest.values()]);
  const from = (last ?? newestOf(log) ?? newest) - (numbered?.lateness ?? second);
  const to = latestOf([newest, serviceAt === undefined ? undefined : serviceAt + second]) ?? newest;
  return {kind: 'gap', after: from < to ? from : to - second, before: to, reason: 'renumbered'};
};

const sourcesByText = (
  known: Numbered['sources'] | undefined,
  {lines, numbering}: LogWindow,
): ((line: WindowLine) => SourceName | undefined) => {
  if (numbering === undefined) {
    return () => undefined;
  }
  const {named} = internSources(known ?? new Map(), numbering);
  const indexes = sourceIndexesOf(numbering, lines.length);
  const byText = new Map(lines.map((raw, index) => [raw, named[indexes[index] ?? -1]]));
  return ({raw}) => byText.get(raw);
};

/** Returns what is known after the first answer of a series. */
function* beginAnew(known: Numbered['sources'] | undefined, window: LogWindow): Work<Numbered | undefined> {
  const {numbering, lines, serviceAt} = window;
  if (numbering === undefined) {
    return undefined;
  }
  const {sources, named} = internSources(known ?? new Map(), numbering);
  const {last, newest, lateness} = yield* readNumbered(lines, numbering, -1, {named, newest: new Map()});
  return {
    series: numbering.series,
    last,
    sources,
    newest,
    lateness: lateness > second ? lateness : second,
    serviceAt,
    told: new Set(),
    windowLines: lines.length,
    unnumberedAnswers: 0,
    cameByText: 0,
  };
}
