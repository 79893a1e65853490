import type {Instant} from '../../log/instant.ts';
import {joinContainerLine, parseContainerLine, releaseHeldPieces} from './container-line.ts';
import type {PodReading} from './file-settings.ts';
import type {FileStamps, LineFormat} from './file-stamps.ts';
import type {FollowedFile} from './followed-file.ts';
import {tellFormat} from './line-format.ts';
import {planStamps} from './own-time/plan-stamps.ts';
import {readOwnTime} from './own-time/read-own-time.ts';
import type {LocalMs} from './own-time/wall-time.ts';
import {aheadNsMax, type ClockState, createStampClock} from './stamp-clock.ts';

/** Reads a file's lines in its format, and gives each its stamp. What a file's next lines need stays with the file. */
export type LineStamper = {
  /** Stamps lines that were read together. */
  take(file: FollowedFile, lines: readonly string[], readAt: Instant): void;
  /** Gives out the pieces that wait for the rest of their line. */
  release(file: FollowedFile, readAt: Instant): void;
  /**
   * Whether lines of a file have times of their own to be put in order by. `head` are the file's first bytes, `lines`
   * some of its last.
   */
  isTimed(
    pod: PodReading | undefined,
    content: {readonly head: Buffer; readonly lines: readonly string[]; readonly readAt: Instant},
  ): boolean;
  clockState(): ClockState;
};

export type LineStamperOptions = {
  readonly clock: ClockState;
  /** By the pod's key in the state. */
  readonly pods: ReadonlyMap<number, PodReading>;
  readonly takeSequence: () => number;
  readonly add: (line: {
    readonly sequence: number;
    readonly podKey: number;
    readonly stamp: Instant;
    readonly text: string;
  }) => void;
};

/** A time without a zone is the machine's. */
const machineMs: LocalMs = (year, monthIndex, day, hour, minute, second) =>
  new Date(year, monthIndex, day, hour, minute, second).getTime();

/** The own time, or right behind the line before it where that is later. */
const later = (plan: Instant | 'behind', floor = 0n): Instant => (plan === 'behind' || plan < floor ? floor : plan);

export const createLineStamper = ({
  clock: clockState,
  pods,
  takeSequence,
  add: addLine,
}: LineStamperOptions): LineStamper => {
  const clock = createStampClock(clockState);

  const setStamps = (file: FollowedFile, stamps: Partial<FileStamps>): void => {
    file.stamps = {...file.stamps, ...stamps};
  };

  const add = (file: FollowedFile, sequence: number, stamp: Instant, text: string): void => {
    setStamps(file, {last: stamp});
    addLine({sequence, podKey: file.podKey, stamp, text});
  };

  const addAsRead = (file: FollowedFile, text: string, readAt: Instant): void => {
    const sequence = takeSequence();
    add(file, sequence, clock.next({now: readAt, after: file.stamps.last, sequence}), text);
  };

  /** A line of a container keeps its stamp, unless that lies ahead: whoever can forge a line can forge its stamp. */
  const addContainerText = (file: FollowedFile, text: string, stamp: Instant, readAt: Instant): void => {
    if (stamp > readAt + aheadNsMax) {
      addAsRead(file, text, readAt);
    } else {
      add(file, takeSequence(), stamp, text);
    }
  };

  const addHeld = (file: FollowedFile, readAt: Instant): void => {
    for (const {stamp, text} of releaseHeldPieces(file.held)) {
      addContainerText(file, text, stamp, readAt);
    }
    file.held = {};
  };

  const takeContainerLines = (file: FollowedFile, lines: readonly string[], readAt: Instant): void => {
    for (const line of lines) {
      const containerLine = parseContainerLine(line);
      if (!containerLine) {
        addContainerText(file, line, file.stamps.last ?? readAt, readAt);
        continue;
      }
      const {held, whole} = joinContainerLine(file.held, containerLine);
      file.held = held;
      for (const {stamp, text} of whole) {
        addContainerText(file, text, stamp, readAt);
      }
    }
  };

  const takePlainLines = (file: FollowedFile, lines: readonly string[], readAt: Instant): void => {
    const readTime = (line: string): Instant | undefined =>
      pods.get(file.podKey)?.stamps === 'read' ? undefined : readOwnTime(line, {now: readAt, localMs: machineMs});
    const wasBacklog = file.stamps.isBacklog;
    const {plans, isBacklog} = planStamps(lines, {now: readAt, oldNs: aheadNsMax, isBacklog: wasBacklog, readTime});
    for (const [index, text] of lines.entries()) {
      const plan = plans[index] ?? 'read';
      const {last} = file.stamps;
      // A stamp from a clock that was ahead must not hold up what comes after the clock was set right.
      const floor = last === undefined || last > readAt + aheadNsMax ? undefined : last + 1n;
      if (plan === 'read' || (plan === 'behind' && floor === undefined)) {
        addAsRead(file, text, readAt);
      } else {
        add(file, takeSequence(), later(plan, floor), text);
      }
    }
    setStamps(file, {isBacklog});
  };

  const settleFormat = (file: FollowedFile, lines: readonly string[]): LineFormat => {
    const known = pods.get(file.podKey)?.format ?? file.stamps.format;
    if (known) {
      return known;
    }
    const {format, isSettled} = tellFormat(file.print.head, lines);
    setStamps(file, {format: isSettled ? format : undefined});
    return format;
  };

  const takeLines = (file: FollowedFile, lines: readonly string[], readAt: Instant): void => {
    if (lines.length === 0) {
      return;
    }
    if (settleFormat(file, lines) === 'container') {
      takeContainerLines(file, lines, readAt);
      return;
    }
    // Its first line alone looked like a container's.
    addHeld(file, readAt);
    takePlainLines(file, lines, readAt);
  };

  return {
    take: takeLines,
    release: addHeld,
    isTimed: (pod, {head, lines, readAt}) => {
      if ((pod?.format ?? tellFormat(head, lines).format) === 'container') {
        return true;
      }
      const isBelieved = (own: Instant | undefined): boolean => own !== undefined && own <= readAt + aheadNsMax;
      const context = {now: readAt, localMs: machineMs};
      return pod?.stamps !== 'read' && lines.some(line => isBelieved(readOwnTime(line, context)));
    },
    clockState: clock.state,
  };
};
