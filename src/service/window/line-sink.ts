import {randomBytes} from 'node:crypto';
import {formatInstant, type Instant} from '#log/line/instant.ts';
import type {Arrivals, ReadUpTo} from '#log/window/window-claims.ts';
import type {Deps} from '#service/backend/backend.ts';
import {describeError} from '#service/backend/errors.ts';
import {createLineStamper, type PodReading, type StampedLine, type StampedStream} from './line-stamper.ts';
import {createLineWindow, type LineWindow, windowBytesMax} from './line-window.ts';
import {createLineNumbers, type NumberedLines} from './numbered-lines.ts';
import {createSourceNames, type SourceNames} from './source-names.ts';
import type {StateBatch, StateStore} from './state-store.ts';
import {aheadNsMax, type StoredBranch, type StoredFile} from './stored-state.ts';

export type StoredChanges = Partial<Pick<StateBatch, 'files' | 'forgottenFileKeys' | 'startedPodKeys' | 'cursors'>>;

export type TakeOptions = {
  /** Also emit pieces of a line that wait for their rest. */
  readonly endsHere?: boolean;
  /** More lines follow at once: the state may be written with them. */
  readonly hasMore?: boolean;
  /** The stream's first bytes; they determine its format unless the pod sets it. */
  readonly head?: Buffer;
  /**
   * Returns what is stored together with these lines. Called after the lines have their stamps, which are part of it.
   */
  readonly changes?: () => StoredChanges;
};

export type LineSinkOptions = Pick<Deps, 'now' | 'warn'> & {
  readonly store: StateStore;
  readonly branch: StoredBranch;
  /** By the pod's key in the state. */
  readonly pods: ReadonlyMap<number, PodReading>;
  readonly windowLines: number;
  /** Lines that the first window has, if not as many. */
  readonly firstWindowLines?: number | undefined;
  readonly windowPerPod: boolean;
  /** Text that the window holds; by default `windowBytesMax`. */
  readonly windowBytes?: number | undefined;
};

/**
 * Lines that may wait to be written together. Most of a burst leaves the window before that and is never written. More
 * would take longer than other requests should wait.
 */
const unwrittenLinesMax = 10_000;
const noBytes = Buffer.alloc(0);

/** Fills the window from the state. Returns the numbers of lines to be removed from the state. */
const restoreLines = (
  {store, branch, pods}: LineSinkOptions,
  window: LineWindow,
  sources: SourceNames,
): readonly number[] => {
  const stored = store.readLines(branch.key);
  for (const line of stored.filter(line => pods.has(line.podKey))) {
    window.add({...line, source: sources.intern(line.source)});
  }
  window.takeChanges();
  // The configured window may be smaller now, or have lost a pod.
  const kept = new Set(window.lines().map(line => line.sequence));
  const leftOver = stored.filter(line => !kept.has(line.sequence)).map(line => line.sequence);
  // With no line left, everything numbered is gone: the state deletes a pod's lines with the pod.
  window.raiseDropped(kept.size === 0 ? branch.lastSequence : (leftOver.at(-1) ?? 0));
  return leftOver;
};

/** Returns the times of lines before a time: their own, as far as each is earlier than the next. */
const descend = (lines: readonly StampedLine[], before: Instant): readonly Instant[] => {
  let next = before;
  return lines
    .toReversed()
    .map(({stamp}) => {
      next = stamp < next ? stamp : next - 1n;
      return next;
    })
    .toReversed();
};

/** Returns the times of lines after a time: their own, as far as each is later than the last. One without has none. */
const ascend = (lines: readonly StampedLine[], after: Instant, readAt: Instant): readonly Instant[] => {
  let last = after;
  return lines.map(({stamp}) => {
    last = stamp > last && stamp < readAt - aheadNsMax ? stamp : last + 1n;
    return last;
  });
};

/**
 * Creates the sink and restores its lines from the state. If the state cannot be written, warns and serves the lines
 * all the same.
 */
export const createLineSink = (options: LineSinkOptions) => {
  const {store, branch, pods, now, warn} = options;
  const sources = createSourceNames(pods);
  const window = createLineWindow({
    linesMax: options.windowLines,
    gatheredLinesMax: options.firstWindowLines,
    bytesMax: options.windowBytes ?? windowBytesMax,
    isPerPod: options.windowPerPod,
    isGathering: branch.lastSequence === 0,
    past: {
      last: branch.lastSequence,
      dropped: branch.dropped,
      lossCount: branch.lossCount,
      losses: branch.losses.map(loss => ({...loss, source: loss.source && sources.intern(loss.source)})),
    },
  });
  const numbers = createLineNumbers(window);
  let {series} = branch;
  let leftOver = restoreLines(options, window, sources);
  // Changes that are not written yet, because more follow or writing failed.
  const unwritten = {
    files: new Map<number, StoredFile | undefined>(),
    startedPodKeys: new Set<number>(),
    cursors: new Map<number, string>(),
  };
  let isUnwritten = false;
  // After a failed write, the next one writes all lines of the window.
  let hasFailed = false;

  const addAll = (stream: StampedStream, lines: readonly StampedLine[]): void => {
    const passing = window.countPassing(lines.length);
    for (const [index, {sequence, stamp, text, ownStream}] of lines.entries()) {
      const source = sources.ofLine(stream, ownStream);
      if (index < passing) {
        window.pass({sequence, source, stamp, text});
      } else {
        window.add({sequence, podKey: stream.podKey, source, stamp, line: `${formatInstant(stamp)} ${text}`});
      }
    }
  };
  const stamper = createLineStamper({clock: branch.clock, pods});

  const note = ({files = [], forgottenFileKeys = [], startedPodKeys = [], cursors = []}: StoredChanges): void => {
    isUnwritten = true;
    for (const file of files) {
      unwritten.files.set(file.key, file);
    }
    for (const key of forgottenFileKeys) {
      unwritten.files.set(key, undefined);
    }
    for (const key of startedPodKeys) {
      unwritten.startedPodKeys.add(key);
    }
    for (const {podKey, cursor} of cursors) {
      unwritten.cursors.set(podKey, cursor);
    }
  };

  const write = (given: StoredChanges): void => {
    note(given);
    const changes = window.takeChanges();
    const files = [...unwritten.files];
    try {
      store.write({
        branchKey: branch.key,
        clock: stamper.clockState(),
        series,
        past: {
          last: window.last(),
          dropped: window.dropped(),
          lossCount: window.lossCount(),
          losses: window.losses(),
        },
        changes: {added: changes.added, removed: [...leftOver, ...changes.removed]},
        files: files.map(([, file]) => file).filter(file => file !== undefined),
        forgottenFileKeys: files.filter(([, file]) => file === undefined).map(([key]) => key),
        startedPodKeys: [...unwritten.startedPodKeys],
        cursors: [...unwritten.cursors].map(([podKey, cursor]) => ({podKey, cursor})),
        allLines: hasFailed ? window.lines() : undefined,
      });
      leftOver = [];
      isUnwritten = false;
      hasFailed = false;
      unwritten.files.clear();
      unwritten.startedPodKeys.clear();
      unwritten.cursors.clear();
    } catch (error) {
      // A restart would give the numbers from here on to other lines, so they must not be compared with those before.
      series = hasFailed ? series : randomBytes(8).toString('hex');
      hasFailed = true;
      warn(
        `The state cannot be written (${describeError(error)}): lines are still served, but a restart may show some again under another timestamp.`,
      );
    }
  };

  const flush = (): void => {
    if (isUnwritten) {
      write({});
    }
  };

  if (leftOver.length > 0) {
    write({});
  }

  return {
    /** Stamps lines of a stream, and stores them in the window and the state. */
    take: (
      stream: StampedStream,
      lines: readonly string[],
      {endsHere = false, hasMore = false, head = noBytes, changes = () => ({})}: TakeOptions = {},
    ): void => {
      const readAt = now();
      if (!window.isGathering()) {
        window.tally.arriveAt(readAt);
      }
      addAll(stream, stamper.take(stream, lines, {head, readAt, after: window.last(), endsHere}));
      if (hasMore && window.addedCount() < unwrittenLinesMax) {
        note(changes());
      } else {
        write(changes());
      }
    },
    /**
     * Stores lines that were written before those that are held, all earlier than `before`, or after them, all later
     * than `after`, whatever their own times say. Returns the time of the outermost, or that bound if there is none.
     */
    insertAround: (
      stream: StampedStream,
      lines: readonly string[],
      {head, ...bound}: {readonly head: Buffer} & ({readonly before: Instant} | {readonly after: Instant}),
    ): Instant => {
      const ownStamper = createLineStamper({clock: {last: 0n, highest: 0n}, pods});
      const readAt = now();
      const taken = ownStamper.take(stream, lines, {head, readAt, after: window.last(), endsHere: true});
      const stamps = 'before' in bound ? descend(taken, bound.before) : ascend(taken, bound.after, readAt);
      addAll(
        stream,
        taken.map((line, index) => ({...line, stamp: stamps[index] ?? line.stamp})),
      );
      return 'before' in bound ? (stamps[0] ?? bound.before) : (stamps.at(-1) ?? bound.after);
    },
    /** Stores changes of files and pods without lines, and everything before them. */
    store: write,
    /** Has changes stored with the next lines, or with the next call of `flush`. */
    note,
    /** Stores everything that is not stored yet. */
    flush,
    /**
     * Tells whether the lines of a file are placed in a first window by times of their own. `head`: the file's first
     * bytes; `lines`: some of its last.
     */
    isPlacedByTime: (podKey: number, head: Buffer, lines: readonly string[]): boolean =>
      window.isGathering() && stamper.isTimed(pods.get(podKey), {head, lines, readAt: now()}),
    /**
     * Records that lines of a stream may be missing ahead of the next line. `why`: a sentence for readers, without a
     * full stop. `lines`: how many, if that is known.
     */
    noteLoss: (stream: StampedStream, why: string, lines?: number): void => {
      window.noteLoss({source: sources.ofStream(stream), podKey: stream.podKey, after: stream.stamps.last, why, lines});
      write({});
    },
    /**
     * Returns the window's lines for an answer, and what arrived: after a reader's place, if it has one. The same
     * objects until they change.
     */
    show: (after?: ReadUpTo): NumberedLines & {readonly arrivals: Arrivals} => {
      // A line that was shown must keep its stamp, however the service ends.
      if (!hasFailed) {
        flush();
      }
      return {...numbers.show(series, after), arrivals: {series, ...window.arrivals()}};
    },
    window,
  };
};

/**
 * Destination of a branch's lines: stamps them, and stores them in the window and, with the reading position of their
 * source, in the state.
 */
export type LineSink = ReturnType<typeof createLineSink>;
