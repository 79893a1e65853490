import {createLogJoin, type LogJoin} from '../log/log-join.ts';
import type {LogRead, LogReadEnd} from '../log/log-read.ts';
import {createRestTaker, type SeenLines} from '../log/seen-lines.ts';
import {createFrontGate, type LogLine, readGoneInstance} from '../log-lines.ts';
import {isWaiting, type ReadStarter} from './read-pause.ts';

/** Reads of the previous instance: one that brings its rest, one that brings nothing more, and some that break. */
const readsMax = 5;
/** Pause after a read that broke, milliseconds. */
const brokenPauseMs = 500;

export type JoinByPreviousOptions = {
  readonly seen: SeenLines;
  /** The read that does not begin with what was seen. It goes on meanwhile. */
  readonly main: LogRead;
  readonly join: LogJoin;
  /** A main read that holds nothing may have broken before it got there: it is closed to be repeated. */
  readonly mayRepeat: boolean;
  /** Where to begin with the previous instance if nothing was ever seen; empty: with its first line. */
  readonly first: {readonly tailLines?: number; readonly sinceTime?: string};
  readonly startRead: ReadStarter;
  readonly onLines: (lines: readonly LogLine[]) => void;
  /** The first line of that instance was not read. */
  readonly onCutFront: () => void;
  /** The log was open before: if nothing was ever seen, it was empty then. */
  readonly wasOpenBefore: () => boolean;
  /**
   * All lines of the instance that was seen last were read before this read, which is of the next one: as a sentence
   * says that stands in place of that one's log, or as the watch tells.
   */
  readonly isNextOfRead: (sentence: string | undefined) => Promise<boolean>;
  readonly onHole: (why: string) => void;
  readonly wait: (ms: number) => Promise<void>;
};

/**
 * Joins a read that lacks the last line seen: the container may have restarted, and `previous=true` has the rest of
 * the instance before. That is proven if the last line comes there and a further read brings nothing more, since a
 * clean end proves nothing. Else lines may be missing, and a hole is reported before any further line. `undecided`: the
 * main read has brought nothing that tells; it was closed to be repeated unless it still waits for its answer.
 */
export const joinByPrevious = async (options: JoinByPreviousOptions): Promise<'proven' | 'unproven' | 'undecided'> => {
  const {seen, main, join, mayRepeat, onHole} = options;
  const brought: LogLine[] = [];

  const bring = (lines: readonly LogLine[]): void => {
    for (const line of lines) {
      brought.push(line);
    }
    options.onLines(lines);
  };

  const takeRest = createRestTaker(seen);

  const readPrevious = async (): Promise<{end: LogReadEnd; check: LogJoin; isWhole: boolean}> => {
    const since = seen.since();
    const check = createLogJoin(seen, {isFirst: seen.last() === undefined});
    const begin: JoinByPreviousOptions['first'] = since === undefined ? options.first : {sinceTime: since};
    const gate = createFrontGate(begin.tailLines, options.onCutFront);
    const front = {isCut: Object.keys(begin).length > 0, dropsFirst: false};
    const read = options.startRead({previous: true, ...begin}, front, lines => bring(check.take(gate.take(lines))));
    const end = await read.ended;
    bring(check.take(gate.settle()));
    return {end, check, isWhole: takeRest(end, lines => bring(check.take(lines)))};
  };

  const settle = <How extends 'proven' | 'unproven'>(how: How): How => {
    options.onLines(join.settle(brought));
    return how;
  };

  for (let reads = 1; ; reads += 1) {
    const hasSeen = seen.last() !== undefined;
    const {end, check, isWhole} = await readPrevious();
    if (join.isJoined()) {
      return 'proven';
    }
    const bringsNothing = end.kind === 'clean' && check.newCount() === 0 && isWhole;
    const sentence = end.kind === 'fault' && !end.hasLines ? end.sentence : undefined;
    const isGone = sentence !== undefined && readGoneInstance(sentence) !== undefined;
    const isAbsent = isGone || (end.kind === 'failed' && end.error.status === 400);
    if (hasSeen ? check.isJoined() && bringsNothing : isAbsent || bringsNothing) {
      if (!hasSeen && isAbsent && join.heldCount() > 0 && options.wasOpenBefore()) {
        onHole('it was empty when its stream broke, and what came then may have been rotated away');
      }
      return settle('proven');
    }
    if (reads < readsMax && mayBringMore(end, check) && !join.isOverfull()) {
      if (end.kind !== 'clean' || !check.isJoined()) {
        await options.wait(brokenPauseMs);
      }
      continue;
    }
    const isWaitingForAnswer = !main.isOpen() && !main.isEnded();
    if (join.heldCount() === 0 && (mayRepeat || isWaitingForAnswer)) {
      if (!isWaitingForAnswer) {
        main.close();
      }
      return 'undecided';
    }
    // While a container waits to be started again, its newest instance is its previous one, too.
    const isSame = join.firstHeld() !== undefined && join.firstHeld() === check.firstHeld();
    const isNext = (isSame || isGone) && (await options.isNextOfRead(sentence));
    if (!isNext) {
      onHole('the last line that was read did not reappear');
    }
    bring(check.settle(brought));
    return settle(isNext ? 'proven' : 'unproven');
  }
};

/** Whether one more read may prove what this one did not: this one brought lines, or it broke off. */
const mayBringMore = (end: LogReadEnd, check: LogJoin): boolean => {
  if (end.kind === 'failed') {
    return !isWaiting(end.error);
  }
  return end.kind === 'clean' && (check.isJoined() || check.heldCount() === 0);
};
