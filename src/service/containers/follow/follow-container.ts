import {type Instant, instantFromMs} from '#log/line/instant.ts';
import {toCallError} from '#service/backend/errors.ts';
import {type ContainerPlace, describePlace} from '../container-logs.ts';
import {type FollowContainerOptions, type FollowedContainer, isSameState} from '../followed-container.ts';
import {isDrained, unopenedLog} from '../log/log-end.ts';
import {createLogJoin, type LogJoin} from '../log/log-join.ts';
import type {LogRead, LogReadEnd} from '../log/log-read.ts';
import {createRestTaker, createSeenLines} from '../log/seen-lines.ts';
import {createFrontGate, createTimeGate, type LogLine} from '../log-lines.ts';
import {createAuditor, createAuditPace} from './audit-log.ts';
import {awaitJoin, createFirstWait, waitAndRead, waitForNews} from './await-read.ts';
import {chooseBeginning, choosePreviousBeginning, describeUnseenPast, tellLateBegin} from './begin-read.ts';
import {
  beginContainer,
  type ContainerEffect,
  type ContainerEvent,
  isFinishing,
  isReadToEnd,
  isShared,
  mustBeTicked,
  saysSeenIsGone,
  step,
} from './container-step.ts';
import {joinByPrevious} from './join-by-previous.ts';
import {createReadFailure, createReadRetry, createReadStarter, drainedPauseMs, troubleOf} from './read-pause.ts';

/** Reads without any proof or any new line before that counts as a hole: they may have broken off. */
const emptyReadsMax = 3;
/** A stream that lasted this long was a good one, milliseconds. */
const lastedMs = 10_000;

/** The read of the stream, and what changes with each of its lines. */
type CurrentRead = {
  readonly read: LogRead;
  readonly join: LogJoin;
  firstStamp: Instant | undefined;
  lastStamp: Instant | undefined;
  /** When it was opened or brought something last, monotonic milliseconds. */
  activeMs: number;
};

/** How a read is joined to what was seen. */
type JoiningRead = Readonly<Record<'needsPrevious' | 'isFirst' | 'isFarBack', boolean>> & {
  readonly startedMs: number;
  readonly onCutFront: () => void;
};

/** Follows the log of one container until it is closed. */
export const followContainer = (options: FollowContainerOptions): FollowedContainer => {
  const {logs, queue, inbox, monotonicMs, random, warn, onHole} = options;
  const seen = options.seen ?? createSeenLines(() => logs.stampsAreUnique === true);
  const closing = new AbortController();
  const pace = createAuditPace(options.finds, random);
  const mayHaveUnread = options.place.instanceId !== undefined && (options.isLate || options.place.state === 'running');
  const logEnd = unopenedLog({readsMin: logs.endsAreProven ? 1 : 2, mayHaveUnread, isLate: options.isLate});
  let state = beginContainer(options.place, logEnd, options.seen !== undefined);
  let current: CurrentRead | undefined;

  const dispatch = (event: ContainerEvent): void => {
    const next = step(state, event, monotonicMs());
    state = next.state;
    next.effects.forEach(carryOut);
  };

  const isClosed = (): boolean => state.life.kind === 'closed';
  const title = `The log of ${describePlace(options.place)}`;
  const readFailure = createReadFailure(title, monotonicMs);

  const give = (lines: readonly LogLine[]): void => {
    if (lines.length > 0 && !closing.signal.aborted) {
      options.onLines(lines);
    }
  };

  const first = createFirstWait({
    quietMs: options.firstQuietMs,
    msMax: options.firstReadMsMax,
    monotonicMs,
    wait: waitAndRead,
    isInDoubt: readFailure.isInDoubt,
  });

  const retry = createReadRetry(options, readFailure.noteOthersBack);

  const startRead = createReadStarter({logs, queue, inbox, readFailure, place: () => state.place});

  const noteHole = (why: string): void => {
    const last = seen.last();
    const since = last ? ` after ${last.line.slice(0, last.line.indexOf(' '))}` : '';
    warn(`${title} may lack lines${since}: ${why}. Readers see a gap.`);
    onHole(why);
  };

  const takeLast = createRestTaker(seen, logs.endsAreProven);
  /** The last line of a container that ran when it was read, which no newline ended. */
  let openRest: readonly LogLine[] = [];
  const takeRest = (end: LogReadEnd, asOf: ContainerPlace, join: LogJoin): boolean => {
    const rest = end.kind === 'clean' ? end.rest : [];
    openRest = join.isJoined() ? rest : openRest;
    // One that runs may still end its last line.
    if (asOf.state === 'running' && end.kind !== 'removed') {
      return rest.length === 0;
    }
    return takeLast(end, lines => give(join.take(lines)));
  };
  /** All was read that the instance seen last wrote. */
  const takeOpenRest = (): void => {
    const lines = openRest.filter(line => !seen.has(line));
    openRest = [];
    lines.forEach(seen.add);
    give(lines);
  };

  /** Checks whether a read that began then is of the instance after one that was read to its end. */
  const isNextOfRead = async (sentence: string | undefined, beganMs: number): Promise<boolean> => {
    if (!isReadToEnd(state, beganMs)) {
      return false;
    }
    const count = state.seenOf?.restartCount ?? 0;
    await waitForNews(() => sentence !== undefined || state.place.restartCount > count, waitAndRead);
    const isNext = sentence === undefined ? state.place.restartCount === count + 1 : saysSeenIsGone(state, sentence);
    if (isNext) {
      takeOpenRest();
    }
    return isNext;
  };

  const joinRead = async (
    read: LogRead,
    join: LogJoin,
    takeEnd: (end: LogReadEnd) => void,
    {needsPrevious, isFirst, isFarBack, startedMs, onCutFront}: JoiningRead,
  ): Promise<void> => {
    for (;;) {
      await awaitJoin({read, join, canJoin: !needsPrevious, isFarBack, monotonicMs, wait: waitAndRead});
      if (read.isEnded()) {
        const end = await read.ended;
        takeEnd(end);
        // A broken read is repeated, and brings its lines again.
        if (end.kind === 'failed' || end.kind === 'closed' || (end.kind === 'fault' && join.heldCount() === 0)) {
          return;
        }
      }
      if (join.isJoined()) {
        dispatch({kind: 'joined'});
        return;
      }
      dispatch({kind: 'doubted'});
      const lastBefore = seen.last();
      const outcome = await joinByPrevious({
        seen,
        main: read,
        join,
        mayRepeat: state.emptyReads + 1 < emptyReadsMax,
        first: choosePreviousBeginning(state.place, options),
        startRead,
        onLines: give,
        onCutFront,
        onHole: noteHole,
        wasOpenBefore: () => state.logEnd.opens > 1,
        isNextOfRead: sentence => isNextOfRead(sentence, startedMs),
        wait: waitAndRead,
      });
      if (outcome !== 'undecided') {
        const isNext = outcome === 'proven' && lastBefore !== undefined;
        dispatch({kind: 'joinedByPrevious', lastBefore, isFirst, isNext});
        return;
      }
      if (read.isEnded()) {
        dispatch({kind: 'undecided'});
        return;
      }
    }
  };

  const follow = async (asOf: ContainerPlace): Promise<{end: LogReadEnd; isGood: boolean; isIn: boolean}> => {
    const isFirst = !state.hasTried;
    const mayHavePrevious = state.hasTried || asOf.restartCount > 0;
    const chosenBy = {...options, mayHavePrevious, isRepeated: state.emptyReads > 0};
    const beginning = await chooseBeginning(asOf, seen, chosenBy, closing.signal);
    const isFarBack = seen.isClockBack();
    const startedMs = monotonicMs();
    const startedAt = instantFromMs(options.nowMs());
    const isEmpty = seen.last() === undefined;
    if (!isEmpty) {
      pace.noteReopened();
    }
    // With nothing seen yet there is no proof: an instance that ended meanwhile is asked for.
    const needsPrevious = isEmpty && beginning.isWhole && mayHavePrevious;
    const join = createLogJoin(seen, {isFirst: isEmpty && !needsPrevious, isFarBack});
    const unseen = isFirst ? describeUnseenPast(asOf, options) : undefined;
    dispatch({kind: 'began', asOf, isFirst: isEmpty, unseen});
    const onCutFront = isEmpty && unseen === undefined ? options.onCutFront : () => undefined;
    const passTime = createTimeGate(beginning.from);
    const gate = createFrontGate(beginning.tailLines, () => onCutFront('asked'));
    const settle = (): void => {
      give(join.take(gate.settle()));
      if (isFirst && gate.isWhole()) {
        dispatch({kind: 'firstDoubted'});
      }
    };
    if (beginning.isLate) {
      onCutFront(beginning.isLate);
    }
    const reading: CurrentRead = {
      join,
      firstStamp: undefined,
      lastStamp: undefined,
      activeMs: startedMs,
      read: startRead(
        {...beginning.query, follow: true},
        beginning.front,
        lines => {
          reading.activeMs = monotonicMs();
          reading.firstStamp ??= lines[0]?.stamp;
          reading.lastStamp = lines.at(-1)?.stamp;
          pace.noteLines(lines.length);
          readFailure.clear();
          give(join.take(gate.take(passTime(lines))));
        },
        {
          onOpen: () => {
            readFailure.noteOpen();
            retry.noteOpen();
            reading.activeMs = monotonicMs();
            dispatch({kind: 'opened'});
          },
          // A first read is in once nothing more comes, and an audit compares with what has come.
          mayWait: () => first.isIn() && !auditor.isRunning() && join.isJoined(),
        },
      ),
    };
    const {read} = reading;
    current = reading;
    let isRestTaken: boolean | undefined;
    const takeEnd = (end: LogReadEnd): boolean => {
      settle();
      isRestTaken ??= takeRest(end, asOf, join);
      return isRestTaken;
    };
    const joining = joinRead(read, join, takeEnd, {
      needsPrevious,
      isFirst,
      isFarBack,
      startedMs,
      onCutFront: () => onCutFront('asked'),
    });
    /** Nothing that the read brought waits for a proof by the next one. */
    const isIn = (): boolean => state.emptyReads === 0 && isRestTaken !== false;
    /** More comes for certain: a line, or the end, before which the last line may be unfinished. */
    const isDue = (): boolean =>
      (beginning.hasLines && reading.firstStamp === undefined) || asOf.state === 'terminated';
    void first.follow({
      read,
      activeMs: () => (isDue() ? monotonicMs() : reading.activeMs),
      isCaughtUp: () => reading.lastStamp !== undefined && reading.lastStamp >= startedAt,
      settle: async () => {
        settle();
        // Until then, its lines are not known to be new.
        await joining;
        if (!beginning.isWhole) {
          await tellLateBegin(state.place, reading.firstStamp, {...options, onCutFront}, closing.signal);
        }
        return isIn();
      },
    });
    await joining;
    if (isFirst && !needsPrevious && beginning.isWhole) {
      dispatch({kind: 'firstDoubted'});
    }
    const end = await read.ended;
    current = undefined;
    const isWhole = takeEnd(end) && end.kind === 'clean' && join.isJoined();
    const isAtEnd = isWhole && (join.newCount() === 0 || logs.endsAreProven === true);
    const wasDrained = isDrained(state.logEnd);
    dispatch({kind: 'readEnded', end, isAtEnd, isJoined: join.isJoined()});
    if (isDrained(state.logEnd) && !wasDrained) {
      // A log that is gone was read to its end.
      readFailure.clear();
    }
    return {
      end,
      isGood: join.newCount() > 0 || (join.isJoined() && monotonicMs() - startedMs >= lastedMs),
      isIn: isIn(),
    };
  };

  /** Reads from the beginning of a read to its end, with the pause after it, until closed. */
  const run = async (): Promise<void> => {
    while (!isClosed()) {
      const asOf = state.place;
      const {end, isGood, isIn} = await follow(asOf).catch((cause: unknown) => {
        const error = toCallError(cause);
        readFailure.note(error, state.place.state);
        return {end: {kind: 'failed', error} as const, isGood: false, isIn: true};
      });
      if (!readFailure.isInDoubt() && isIn) {
        first.end();
      }
      dispatch({kind: 'turned', asOf, end});
      if (!isClosed()) {
        const trouble = troubleOf(end);
        const pauseMs = retry.noteEnd(trouble, isGood);
        const isAtEnd = isDrained(state.logEnd);
        if (isAtEnd || trouble !== 'ended' || isSameState(asOf, state.place)) {
          await retry.rest(isAtEnd ? drainedPauseMs(state.place.state) : pauseMs);
        }
      }
    }
  };

  const auditor = createAuditor({seen, pace, finds: options.finds, startRead, wait: waitAndRead, monotonicMs});

  const audit = async (): Promise<void> => {
    const audited = current;
    const {lastGone} = state;
    const mayBeEmpty = lastGone !== undefined && lastGone === seen.last();
    const found = await auditor.run(mayBeEmpty, () => current === audited);
    if (found === 'missed' || found === 'nothing') {
      readFailure.clear();
    }
    if (found === 'missed') {
      audited?.read.close();
    }
  };

  const carryOut = (effect: ContainerEffect): void => {
    switch (effect.kind) {
      case 'hole':
        noteHole(effect.why);
        return;
      case 'warnOfFault':
        warn(`${title} ends with a message from its node: ${effect.sentence}`);
        return;
      case 'tellUnread':
        options.onUnread();
        return;
      case 'takeRest':
        takeOpenRest();
        return;
      case 'wake':
        retry.wake();
        return;
      case 'audit':
        void audit();
        return;
      case 'closeRead':
        current?.read.close();
        return;
      case 'close':
        // Lines that have come are still given.
        inbox.flush();
        closing.abort();
        options.onClose();
        current?.read.close();
        first.end();
        retry.close();
        return;
    }
  };

  void run();
  return {
    place: () => state.place,
    setPlace: place => dispatch({kind: 'placed', place}),
    leave: () => dispatch({kind: 'left'}),
    stay: () => dispatch({kind: 'stayed'}),
    handOver: next => {
      const pod = {next, firstStamp: current?.firstStamp};
      const isOfBoth = isShared(state, pod, monotonicMs());
      dispatch({kind: 'handedOver', ...pod, isJoined: current?.join.isJoined() === true});
      return isOfBoth ? seen : undefined;
    },
    seen,
    firstRead: first.isOver,
    failure: () => {
      const {isFinished, containerKind} = state.place;
      // The runtime may throw away the log of an init container that has done its work.
      return isFinished && containerKind === 'init' ? undefined : readFailure.sentence();
    },
    isFinishing: () => isFinishing(state),
    isLive: () => state.place.state === 'running' || (state.stream !== undefined && state.place.state !== 'waiting'),
    tick: () => {
      if (readFailure.sentence() !== undefined) {
        first.end();
      }
      const silentMs = current ? monotonicMs() - Math.max(current.activeMs, auditor.auditedMs()) : 0;
      // One that is not joined is still looked at for a proof.
      const isJoined = current?.join.isJoined() === true;
      const isAuditDue = isJoined && !auditor.isRunning() && pace.isDue(silentMs);
      if (isAuditDue || mustBeTicked(state)) {
        dispatch({kind: 'ticked', silentMs, isAuditDue});
      }
    },
    isClosed,
    close: () => dispatch({kind: 'closed'}),
  };
};
