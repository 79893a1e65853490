import {formatInstant, type Instant, instantFromMs, parseInstant} from '#log/line/instant.ts';
import {type ContainerPlace, type FrontQuery, type LogQuery, unitOf} from '../container-logs.ts';
import type {FollowContainerOptions} from '../followed-container.ts';
import type {SeenLines} from '../log/seen-lines.ts';
import {createLogLines, type LogFront} from '../log-lines.ts';

/** A pod younger than this is read from its first line, milliseconds: later that may be 10 MB a container. */
const youngMsMax = 600_000;
/** Bytes of a line of the log for the look that tells whether all of it fits into the container's share. */
const probeBytesPerLine = 256;
const probeBytesMin = 16 * 1024;
/** A read from some time on begins so much earlier: lines of this time prove that the file reaches back. */
const sinceMarginNs = 10_000_000_000n;

/**
 * Lines that a read goes back where no time tells from which one on it would bring all new lines: all of a file of
 * 10 MB, the kubelet's default.
 */
const linesBackMax = 100_000;

/** Where a read begins. `isWhole`: with the first line of the log. */
export type Beginning = {
  readonly query: LogQuery;
  readonly front: LogFront;
  readonly isWhole: boolean;
  /** The first line may be the rest of one, unless at most half as many lines come. */
  readonly tailLines?: number;
  /** Lines from before come first, and are left out. */
  readonly from?: Instant;
  /** A look has found lines: until the first one comes, the log is still being searched for it. */
  readonly hasLines?: boolean;
  /** More was to be read than the log has, or than can be held. */
  readonly isLate?: 'file' | 'memory' | undefined;
};

export type BeginningOptions = Pick<
  FollowContainerOptions,
  'logs' | 'queue' | 'nowMs' | 'isLate' | 'shareLines' | 'linesMax' | 'firstRead'
>;

/** Whether a container is read from its first line: its pod began while the watch or the branch was followed. */
export const isYoung = (place: ContainerPlace, {isLate, nowMs}: Pick<BeginningOptions, 'isLate' | 'nowMs'>): boolean =>
  (place.isSeenFromStart || isLate) && nowMs() - place.podCreatedAtMs < youngMsMax;

/** Says what is known to be missing before the first line of a container; undefined if nothing is. */
export const describeUnseenPast = (
  place: ContainerPlace,
  options: Pick<BeginningOptions, 'isLate' | 'nowMs' | 'logs'>,
): string | undefined => {
  if (isYoung(place, options) && place.restartCount > 1) {
    return `the container restarted ${place.restartCount} times before it was first read`;
  }
  // Ephemeral containers are added to pods that have run for long.
  return options.isLate && !options.logs.hasIds && !place.isSeenFromStart && place.containerKind !== 'ephemeral'
    ? `the ${unitOf(place)} started while the watch was interrupted`
    : undefined;
};

/** Returns the `sinceTime` of a read that reaches back to a time, and before it. */
const sinceTimeOf = (since: Instant): string =>
  `${formatInstant(since < sinceMarginNs ? 0n : since - sinceMarginNs).slice(0, '2026-11-21T14:02:11'.length)}Z`;

type ChosenBy = BeginningOptions & {
  /** Should the read begin with the first line of the log, there may be an instance before. */
  readonly mayHavePrevious: boolean;
  /** The read before brought nothing: the log may be so long that its node takes many seconds to find a time in it. */
  readonly isRepeated: boolean;
};

/**
 * Chooses where the next read of a container's log begins. Throws a `CallError` if the log cannot be looked at.
 */
export const chooseBeginning = async (
  place: ContainerPlace,
  seen: SeenLines,
  {mayHavePrevious, isRepeated, ...options}: ChosenBy,
  signal: AbortSignal,
): Promise<Beginning> => {
  const {shareLines, firstRead} = options;
  const sinceTime = seen.since();
  const fromCut = {isCut: true, dropsFirst: false};
  if (sinceTime !== undefined && isRepeated) {
    const {
      begins: _,
      isLate: __,
      ...beginning
    } = await reachBack(place, parseInstant(sinceTime) ?? 0n, options, signal);
    return {...beginning, isWhole: false};
  }
  if (sinceTime !== undefined) {
    return {query: {sinceTime}, front: fromCut, isWhole: false};
  }
  if (seen.isClockBack()) {
    return {query: {tailLines: linesBackMax}, front: fromCut, isWhole: false};
  }
  if (isYoung(place, options)) {
    return {query: {}, front: {isCut: false, dropsFirst: false}, isWhole: true};
  }
  if (firstRead.since !== undefined) {
    const {since} = firstRead;
    const from = since < sinceMarginNs ? 0n : since - sinceMarginNs;
    const {begins, ...beginning} = await reachBack(place, from, options, signal);
    const isWhole = mayHavePrevious && begins !== undefined && begins > since;
    return {isLate: isWhole ? 'file' : undefined, ...beginning, isWhole};
  }
  if (mayHavePrevious && (await isShort(place, options, signal))) {
    return {query: {}, front: {isCut: false, dropsFirst: false}, isWhole: true};
  }
  // `tailLines` counts the pieces in which the runtime wrote long lines, so that the first line may be the rest of one,
  // and fewer lines than these may come of a longer log. Twice as many: whichever it is, enough are left.
  const tailLines = 2 * (shareLines + 1);
  return {query: {tailLines}, front: fromCut, isWhole: false, tailLines};
};

/** The last lines are asked for so many times as many until they reach back to a time. */
const reachFactor = 4;

/**
 * Finds the last lines of a log that reach back to a time. By the time alone, a kubelet or an engine reads all of a
 * log, however long, before it says a word: 8 s for 2.7 GB, where it finds the last lines at once. Of a log that has
 * more lines of that time than can be held, the newest are read. `begins`: the first stamp of a log that is read whole.
 */
const reachBack = async (
  place: ContainerPlace,
  from: Instant,
  {shareLines, linesMax, ...probe}: Probe & Pick<BeginningOptions, 'shareLines' | 'linesMax'>,
  signal: AbortSignal,
): Promise<Omit<Beginning, 'isWhole' | 'tailLines'> & {readonly begins?: Instant}> => {
  let begins: Instant | undefined;
  for (let count = 2 * (shareLines + 1); ; count *= reachFactor) {
    const tailLines = Math.min(count, linesMax);
    const first = await findBegin(place, probe, {limitBytes: probeBytesMin, tailLines}, signal);
    const hasLines = first !== undefined;
    if (!hasLines || first < from) {
      return {query: {tailLines}, front: {isCut: true, dropsFirst: false}, from, hasLines};
    }
    begins ??= await findBegin(place, probe, {limitBytes: probeBytesMin}, signal);
    if (begins === undefined || begins >= first) {
      return {query: {}, front: {isCut: false, dropsFirst: false}, hasLines, ...(begins !== undefined && {begins})};
    }
    if (tailLines === linesMax) {
      return {query: {tailLines}, front: {isCut: true, dropsFirst: true}, hasLines, isLate: 'memory'};
    }
  }
};

/**
 * Returns where to begin with an instance before the one that is read first; empty: with its first line. The first of
 * `tailLines` may be the rest of one, unless at most half as many lines come.
 */
export const choosePreviousBeginning = (
  place: ContainerPlace,
  {firstRead: {since}, shareLines, ...age}: Omit<BeginningOptions, 'logs' | 'queue'>,
): {readonly tailLines?: number; readonly sinceTime?: string} => {
  // Its newest instance, all of whose log is short enough to be read.
  const isNewest = place.previousId !== undefined && place.previousId === place.instanceId;
  if (isYoung(place, age) || isNewest) {
    return {};
  }
  return since === undefined ? {tailLines: 2 * (shareLines + 1)} : {sinceTime: sinceTimeOf(since)};
};

type Probe = Pick<BeginningOptions, 'logs' | 'queue'>;

const readFront = (
  place: ContainerPlace,
  {logs, queue}: Probe,
  front: FrontQuery,
  signal: AbortSignal,
): Promise<string> => queue.run(() => logs.readFront(place, front, signal), signal);

/** Whether all of an old log is short enough to be read. */
const isShort = async (
  place: ContainerPlace,
  {shareLines, ...probe}: Probe & Pick<BeginningOptions, 'shareLines'>,
  signal: AbortSignal,
): Promise<boolean> => {
  const limitBytes = Math.max(probeBytesMin, shareLines * probeBytesPerLine);
  const text = await readFront(place, probe, {limitBytes}, signal);
  return Buffer.byteLength(text) < limitBytes;
};

/** Returns the stamp of the first line that a node has of a log, or of its last lines; undefined if there is none. */
const findBegin = async (
  place: ContainerPlace,
  probe: Probe,
  front: FrontQuery,
  signal: AbortSignal,
): Promise<Instant | undefined> => {
  const text = await readFront(place, probe, front, signal);
  const reader = createLogLines({isCut: false, dropsFirst: false});
  const {lines} = reader.take(Buffer.from(text));
  return (lines[0] ?? reader.takeRest().lines[0])?.stamp;
};

/**
 * Tells where a node's file begins if more was to be read than is there: neither does the stamp of the first line read
 * prove that the file reaches back, nor did the pod begin later.
 */
export const tellLateBegin = async (
  place: ContainerPlace,
  firstStamp: Instant | undefined,
  {firstRead: {since}, onCutFront, ...probe}: Probe & Pick<FollowContainerOptions, 'firstRead' | 'onCutFront'>,
  signal: AbortSignal,
): Promise<void> => {
  const isProven = since === undefined || (firstStamp !== undefined && firstStamp < since);
  if (isProven || instantFromMs(place.podCreatedAtMs) >= since) {
    return;
  }
  // Whoever cannot look does not know either.
  const begins = await findBegin(place, probe, {limitBytes: probeBytesMin}, signal).catch(() => undefined);
  if (begins !== undefined && begins > since) {
    onCutFront('file', begins);
  }
};
