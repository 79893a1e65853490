import {instantFromMs} from '#log/line/instant.ts';
import {toCallError} from '#service/backend/errors.ts';
import {type ContainerPlace, describePlace} from '../container-logs.ts';
import {
  type ContainerStream,
  type FollowContainerOptions,
  type FollowedContainer,
  isSameState,
  mayBeOfNext,
} from '../followed-container.ts';
import {createLogJoin, type LogJoin} from '../log/log-join.ts';
import {createLogEnd, type LogRead, type LogReadEnd} from '../log/log-read.ts';
import {createRestTaker, createSeenLines} from '../log/seen-lines.ts';
import {createFrontGate, type LogLine} from '../log-lines.ts';
import {createAuditor, createAuditPace} from './audit-log.ts';
import {awaitJoin, createFirstWait} from './await-read.ts';
import {chooseBeginning, choosePreviousBeginning, describeUnseenPast, tellLateBegin} from './begin-read.ts';
import {joinByPrevious} from './join-by-previous.ts';
import {createReadFailure, createReadRetry, createReadStarter, isWaiting, troubleOf} from './read-pause.ts';

/** Reads without any proof or any new line before that counts as a hole: they may have broken off. */
const emptyReadsMax = 3;
/** The log of a container that has ended is looked at this rarely, milliseconds: the watch tells its next start. */
const drainedPauseMs = 300_000;
/** A stream should end this soon after its container did, milliseconds. */
const overdueMs = 2_000;
/** How long the rest of a pod that is gone is read, milliseconds, and how much silence ends it. */
const goneMsMax = 10_000;
const goneSilentMs = 3_000;
/** A stream that lasted this long was a good one, milliseconds. */
const lastedMs = 10_000;

type Life =
  | {readonly kind: 'followed'}
  /** The pod is gone. `hasNext`: another one has its name, so that no further read would be of this one. */
  | {readonly kind: 'leaving'; readonly sinceMs: number; readonly hasNext: boolean}
  | {readonly kind: 'closed'};

/** Follows the log of one container until it is closed. */
export const followContainer = (options: FollowContainerOptions): FollowedContainer => {
  const {logs, queue, inbox, monotonicMs, random, warn, onHole} = options;
  const seen = options.seen ?? createSeenLines();
  const closing = new AbortController();
  const pace = createAuditPace(options.finds, random);
  let place = options.place;
  let stream: ContainerStream | undefined;
  let life: Life = {kind: 'followed'};
  let emptyReads = 0;
  /** Since when the log of a container that has ended cannot be found. */
  let missingMs: number | undefined;
  let hasTried = options.seen !== undefined;
  /** The first read may have been of the second instance: then the next restart that is told of is no news. */
  let isFirstInDoubt = false;
  /** What was read last did not join what was before, so that it may be of a new pod of the same name. */
  let mayBeOfNextPod = false;
  /** A last line that is known not to be in the log any more. */
  let lastGone: LogLine | undefined;

  const title = `The log of ${describePlace(place)}`;

  const readFailure = createReadFailure(title, monotonicMs);

  const give = (lines: readonly LogLine[]): void => {
    if (lines.length > 0 && life.kind !== 'closed') {
      options.onLines(lines);
    }
  };

  const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

  const first = createFirstWait({
    quietMs: options.firstQuietMs,
    msMax: options.firstReadMsMax,
    monotonicMs,
    wait,
    isInDoubt: readFailure.isInDoubt,
  });

  const retry = createReadRetry(options, readFailure.noteOthersBack);

  const startRead = createReadStarter({logs, queue, inbox, readFailure, place: () => place});

  const noteHole = (why: string): void => {
    const last = seen.last();
    const since = last ? ` after ${last.line.slice(0, last.line.indexOf(' '))}` : '';
    warn(`${title} may lack lines${since}: ${why}. Readers see a gap.`);
    onHole(why);
  };

  const logEnd = createLogEnd({
    readsMin: logs.endsAreProven ? 1 : 2,
    mayHaveUnread: place.instanceId !== undefined && (options.isLate || place.state === 'running'),
    onUnread: options.onUnread,
    onMissed: () => noteHole('it was gone before it could be read'),
  });

  const takeLast = createRestTaker(seen);
  /** A container that runs may still end its last line. */
  const takeRest = (end: LogReadEnd, asOf: ContainerPlace, join: LogJoin): boolean =>
    asOf.state === 'running'
      ? end.kind !== 'clean' || end.rest.length === 0
      : takeLast(end, lines => give(join.take(lines)));

  const joinRead = async (
    read: LogRead,
    join: LogJoin,
    takeEnd: (end: LogReadEnd) => void,
    {needsPrevious, isFirst, asOf}: Pick<ContainerStream, 'asOf'> & {needsPrevious: boolean; isFirst: boolean},
  ): Promise<void> => {
    for (;;) {
      await awaitJoin({read, join, canJoin: !needsPrevious, monotonicMs, wait});
      if (read.isEnded()) {
        const end = await read.ended;
        takeEnd(end);
        // A broken read is repeated, and brings its lines again.
        if (end.kind === 'failed' || end.kind === 'closed' || (end.kind === 'fault' && join.heldCount() === 0)) {
          return;
        }
      }
      if (join.isJoined()) {
        if (isFirstInDoubt && asOf.restartCount > 0) {
          isFirstInDoubt = false;
          noteHole('the container restarted before it was first read');
        }
        return;
      }
      isFirstInDoubt = false;
      const lastBefore = seen.last();
      const outcome = await joinByPrevious({
        seen,
        main: read,
        join,
        mayRepeat: emptyReads + 1 < emptyReadsMax,
        first: choosePreviousBeginning(place, options),
        startRead,
        onLines: give,
        onHole: noteHole,
        wasOpenBefore: logEnd.wasOpenBefore,
        isNextOfDrained: () => logEnd.isNextOfDrained(place.restartCount),
        wait,
      });
      if (outcome === 'joined') {
        emptyReads = 0;
        lastGone = lastBefore;
        mayBeOfNextPod = !isFirst;
        return;
      }
      if (read.isEnded()) {
        emptyReads += 1;
        return;
      }
    }
  };

  const follow = async (asOf: ContainerPlace): Promise<{end: LogReadEnd; isGood: boolean}> => {
    const mayHavePrevious = hasTried || asOf.restartCount > 0;
    const beginning = await chooseBeginning(place, seen, {...options, mayHavePrevious}, closing.signal);
    const startedMs = monotonicMs();
    const startedAt = instantFromMs(options.nowMs());
    const isEmpty = seen.last() === undefined;
    if (!isEmpty) {
      pace.noteReopened();
    }
    // With nothing seen yet there is no proof: an instance that ended meanwhile is asked for.
    const needsPrevious = isEmpty && beginning.isWhole && mayHavePrevious;
    const join = createLogJoin(seen, {isFirst: isEmpty && !needsPrevious});
    const isFirst = !hasTried;
    const unseen = isFirst && describeUnseenPast(asOf, options);
    if (unseen) {
      noteHole(unseen);
    }
    hasTried = true;
    const onCutFront = isEmpty && !unseen ? options.onCutFront : () => undefined;
    const gate = createFrontGate(beginning.tailLines, () => onCutFront('asked'));
    const settle = (): void => {
      give(join.take(gate.settle()));
      isFirstInDoubt ||= isFirst && gate.isWhole();
    };
    if (beginning.isLate) {
      onCutFront('file');
    }
    const current: ContainerStream = {
      asOf,
      isJoined: join.isJoined,
      isFirst: isEmpty && !needsPrevious,
      openedMs: undefined,
      firstStamp: undefined,
      lastStamp: undefined,
      activeMs: startedMs,
      overdueMs: undefined,
      read: startRead(
        {...beginning.query, follow: true},
        beginning.front,
        lines => {
          current.activeMs = monotonicMs();
          current.firstStamp ??= lines[0]?.stamp;
          current.lastStamp = lines.at(-1)?.stamp;
          pace.noteLines(lines.length);
          readFailure.clear();
          give(join.take(gate.take(lines)));
        },
        {
          onOpen: () => {
            readFailure.noteOpen();
            retry.noteOpen();
            current.openedMs = current.activeMs = monotonicMs();
            logEnd.noteOpen();
          },
          // A first read is in once nothing more comes, and an audit compares with what has come.
          mayWait: () => first.isIn() && !auditor.isRunning() && join.isJoined(),
        },
      ),
    };
    let isRestTaken: boolean | undefined;
    const takeEnd = (end: LogReadEnd): boolean => {
      settle();
      isRestTaken ??= takeRest(end, asOf, join);
      return isRestTaken;
    };
    stream = current;
    void first.follow({
      read: current.read,
      activeMs: () => current.activeMs,
      isCaughtUp: () => current.lastStamp !== undefined && current.lastStamp >= startedAt,
      settle: async () => {
        settle();
        if (!beginning.isWhole) {
          await tellLateBegin(place, current.firstStamp, {...options, onCutFront}, closing.signal);
        }
      },
    });
    await joinRead(current.read, join, takeEnd, {needsPrevious, isFirst, asOf});
    isFirstInDoubt ||= isFirst && !needsPrevious && beginning.isWhole;
    const end = await current.read.ended;
    stream = undefined;
    const isWhole = takeEnd(end) && end.kind === 'clean' && join.isJoined();
    const isAtEnd = isWhole && (join.newCount() === 0 || logs.endsAreProven === true);
    const hasEnded = asOf.state !== 'running' && isSameState(asOf, place);
    logEnd.noteRead(end, {isAtEnd: isAtEnd && asOf.instanceId === place.instanceId, hasEnded}, place.restartCount);
    return {end, isGood: join.newCount() > 0 || (join.isJoined() && monotonicMs() - startedMs >= lastedMs)};
  };

  /** One read from its beginning to its end, and the pause after it. */
  const turn = async (): Promise<void> => {
    const asOf = place;
    const {end, isGood} = await follow(asOf).catch((cause: unknown) => {
      const error = toCallError(cause);
      readFailure.note(error, place.state);
      return {end: {kind: 'failed', error} as const, isGood: false};
    });
    if (!readFailure.isInDoubt()) {
      first.end();
    }
    const trouble = troubleOf(end);
    // Of a log that runs and begins with such a message, the answers tell.
    if (end.kind === 'fault' && (end.hasLines || (asOf.state !== 'running' && !asOf.isFinished))) {
      warn(`${title} ends with a message of its node: ${end.sentence}`);
    }
    const isMissing = trouble === 'fault' || (trouble !== 'ended' && isWaiting(trouble));
    missingMs = isMissing && asOf.state === 'terminated' ? (missingMs ?? monotonicMs()) : undefined;
    const isRead = asOf.isFinished && (logEnd.isDrained() || (isMissing && !logEnd.mayHaveUnread()));
    const isGone = life.kind === 'leaving' && (life.hasNext || isAtLogEnd() || (isMissing && trouble !== 'fault'));
    if (life.kind === 'closed' || isGone || (isRead && isSameState(asOf, place))) {
      giveUp();
      return;
    }
    const pauseMs = retry.noteEnd(trouble, isGood);
    if (trouble !== 'ended' || isSameState(asOf, place)) {
      await retry.rest(logEnd.isDrained() ? drainedPauseMs : pauseMs);
    }
  };

  const isAtLogEnd = (): boolean => stream === undefined && logEnd.isReached();

  const tellUnread = (): void => {
    if (life.kind !== 'closed' && !isAtLogEnd()) {
      logEnd.tell();
    }
  };

  const giveUp = (): void => {
    tellUnread();
    close();
  };

  const run = async (): Promise<void> => {
    while (life.kind !== 'closed') {
      await turn();
    }
  };

  const auditor = createAuditor({seen, pace, finds: options.finds, startRead, wait, monotonicMs});

  const audit = async (current: ContainerStream): Promise<void> => {
    const mayBeEmpty = lastGone !== undefined && lastGone === seen.last();
    const found = await auditor.run(mayBeEmpty, () => stream === current);
    if (found === 'missed' || found === 'nothing') {
      readFailure.clear();
    }
    if (found === 'missed') {
      current.read.close();
    }
  };

  const close = (): void => {
    if (life.kind === 'closed') {
      return;
    }
    // What has come is still given.
    inbox.flush();
    life = {kind: 'closed'};
    options.onClose();
    closing.abort();
    stream?.read.close();
    first.end();
    retry.close();
  };

  void run();
  return {
    place: () => place,
    setPlace: next => {
      const isChanged = !isSameState(place, next);
      if (place.instanceId !== next.instanceId) {
        mayBeOfNextPod = false;
        logEnd.noteInstance(next.instanceId !== undefined);
      }
      place = next;
      if (!isChanged) {
        return;
      }
      const isOver = next.state === 'terminated' || (stream && stream.asOf.instanceId !== next.instanceId);
      if (stream && isOver && (stream.asOf.state === 'running' || (isFirstInDoubt && next.restartCount > 0))) {
        stream.overdueMs ??= monotonicMs() + overdueMs;
      }
      retry.wake();
    },
    leave: () => {
      life = life.kind === 'followed' ? {kind: 'leaving', sinceMs: monotonicMs(), hasNext: false} : life;
      retry.wake();
    },
    stay: () => {
      life = life.kind === 'leaving' ? {kind: 'followed'} : life;
    },
    handOver: next => {
      life = life.kind === 'leaving' ? {...life, hasNext: true} : life;
      if (!mayBeOfNextPod) {
        // What comes after cannot be read again: the name is the next pod's.
        tellUnread();
      }
      const isShared = mayBeOfNextPod || (stream !== undefined && mayBeOfNext(stream, next, monotonicMs()));
      if (isShared || !stream?.isJoined()) {
        close();
      }
      mayBeOfNextPod = false;
      return isShared ? seen : undefined;
    },
    seen,
    firstRead: first.isOver,
    // The runtime may throw away the log of an init container that has done its work.
    failure: () => (place.isFinished && place.containerKind === 'init' ? undefined : readFailure.sentence()),
    isFinishing: () =>
      life.kind !== 'closed' &&
      logEnd.mayHaveUnread() &&
      (life.kind === 'leaving' || place.state === 'terminated') &&
      !isAtLogEnd(),
    isLive: () => place.state === 'running' || (stream !== undefined && place.state !== 'waiting'),
    tick: () => {
      if (life.kind === 'closed') {
        return;
      }
      const atMs = monotonicMs();
      if (readFailure.sentence() !== undefined) {
        first.end();
      }
      const silentMs = stream ? atMs - Math.max(stream.activeMs, auditor.auditedMs()) : Number.POSITIVE_INFINITY;
      if (missingMs !== undefined && atMs - missingMs >= goneMsMax) {
        (place.isFinished ? giveUp : tellUnread)();
      }
      if (life.kind === 'leaving' && (atMs - life.sinceMs >= goneMsMax || (stream && silentMs >= goneSilentMs))) {
        giveUp();
      } else if (stream && stream.overdueMs !== undefined && atMs >= stream.overdueMs) {
        stream.read.close();
      } else if (stream && !auditor.isRunning() && pace.isDue(silentMs)) {
        void audit(stream);
      }
    },
    isClosed: () => life.kind === 'closed',
    close,
  };
};
