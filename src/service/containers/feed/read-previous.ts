import {toCallError} from '#service/backend/errors.ts';
import {describePlace} from '../container-logs.ts';
import {choosePreviousBeginning} from '../follow/begin-read.ts';
import {createReadFailure, createReadRetry, createReadStarter, isWaiting, troubleOf} from '../follow/read-pause.ts';
import type {FollowContainerOptions, FollowedContainer} from '../followed-container.ts';
import {createLogJoin} from '../log/log-join.ts';
import type {LogReadEnd} from '../log/log-read.ts';
import {createRestTaker, createSeenLines} from '../log/seen-lines.ts';
import {createFrontGate, type LogLine} from '../log-lines.ts';

type Reading = 'underWay' | 'found' | 'absent';

/**
 * Reads the log of the instance before the newest one of a container, to its end. It has ended, so what a read brings
 * is whole once a further one brings nothing more: a clean end proves nothing.
 */
export const readPrevious = (options: FollowContainerOptions): FollowedContainer => {
  const {place, inbox, monotonicMs, onHole} = options;
  const title = `The log of the previous instance of ${describePlace(place)}`;
  const seen = createSeenLines();
  const takeRest = createRestTaker(seen);
  const first = Promise.withResolvers<void>();
  const readFailure = createReadFailure(title, monotonicMs);
  const retry = createReadRetry(options, readFailure.noteOthersBack);
  const startRead = createReadStarter({...options, readFailure, place: () => place});
  let reading: Reading = 'underWay';
  let isClosed = false;
  let stop = (): void => undefined;

  const give = (lines: readonly LogLine[]): void => {
    if (lines.length > 0 && !isClosed) {
      options.onLines(lines);
    }
  };

  /** Reads once. Returns what `reading` is then, and how the read ended. */
  const readOnce = async (): Promise<{readonly now: Reading; readonly end: LogReadEnd; readonly isGood: boolean}> => {
    const since = seen.since();
    const isFirst = since === undefined;
    const begin = isFirst ? choosePreviousBeginning(place, options) : {sinceTime: since};
    const {tailLines} = begin;
    const join = createLogJoin(seen, {isFirst});
    const gate = createFrontGate(tailLines, () => options.onCutFront('asked'));
    const front = {isCut: Object.keys(begin).length > 0, dropsFirst: false};
    const read = startRead({previous: true, ...begin}, front, taken => give(join.take(gate.take(taken))), {
      onOpen: () => {
        readFailure.noteOpen();
        retry.noteOpen();
      },
    });
    stop = read.close;
    const end = await read.ended;
    give(join.take(gate.settle()));
    const isWhole = takeRest(end, taken => give(join.take(taken)));
    const isGood = join.newCount() > 0;
    if (end.kind === 'failed' && isWaiting(end.error)) {
      return {now: isFirst ? 'absent' : noteLeft(), end, isGood};
    }
    if (end.kind === 'fault') {
      readFailure.noteEnd(end, 'running');
    }
    if (end.kind !== 'clean') {
      return {now: 'underWay', end, isGood};
    }
    return {now: join.isJoined() ? (isGood || !isWhole ? 'underWay' : 'found') : noteLeft(), end, isGood};
  };

  /** The container has restarted meanwhile: its previous instance is another one. */
  const noteLeft = (): Reading => {
    onHole('the previous instance was deleted while its log was being read');
    return 'found';
  };

  const run = async (): Promise<void> => {
    while (!isClosed) {
      const {now, end, isGood} = await readOnce().catch((cause: unknown) => {
        const error = toCallError(cause);
        readFailure.note(error, 'running');
        return {now: 'underWay', end: {kind: 'failed', error}, isGood: false} as const;
      });
      reading = now;
      if (now !== 'underWay') {
        close();
      } else if (!isClosed) {
        await retry.rest(retry.noteEnd(troubleOf(end), isGood));
      }
    }
  };

  const close = (): void => {
    if (isClosed) {
      return;
    }
    inbox.flush();
    isClosed = true;
    options.onClose();
    stop();
    first.resolve();
    retry.close();
  };

  void run();
  return {
    place: () => place,
    setPlace: () => undefined,
    leave: () => undefined,
    stay: () => undefined,
    handOver: () => undefined,
    seen,
    firstRead: first.promise,
    failure: () => (reading === 'underWay' ? readFailure.sentence() : undefined),
    isFinishing: () => !isClosed,
    isLive: () => reading === 'found',
    tick: () => {
      if (readFailure.sentence() !== undefined) {
        first.resolve();
      }
    },
    isClosed: () => isClosed,
    close,
  };
};
