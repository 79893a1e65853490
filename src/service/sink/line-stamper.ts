import type {Instant} from '../../log/line/instant.ts';
import {type HeldPieces, joinContainerLine, parseContainerLine, releaseHeldPieces} from '../lines/container-line.ts';
import {tellFormat} from '../lines/line-format.ts';
import {planStamps} from '../lines/own-time/plan-stamps.ts';
import {readOwnTime} from '../lines/own-time/read-own-time.ts';
import {machineMs} from '../lines/own-time/wall-time.ts';
import {aheadNsMax, type ClockState, createStampClock} from '../lines/stamp-clock.ts';
import type {LineFormat, StreamStamps} from '../lines/stream-stamps.ts';

/** How a pod's lines are read. */
export type PodReading = {
  /** Undefined: each stream's first lines tell. */
  readonly format?: LineFormat | undefined;
  /** `own`, the default: a plain line that was written before it was read keeps its own time. `read`: never. */
  readonly stamps?: 'own' | 'read' | undefined;
};

/** Lines of one pod that follow each other: a file, a command's output. Keeps what the next lines need. */
export type StampedStream = {
  readonly podKey: number;
  stamps: StreamStamps;
  held: HeldPieces;
};

/** Reads a stream's lines in its format, and gives each its stamp. What its next lines need stays with the stream. */
export type LineStamper = {
  /** Stamps lines that were read together. `head`: the stream's first bytes, which tell its format. */
  take(
    stream: StampedStream,
    lines: readonly string[],
    reading: {readonly head: Buffer; readonly readAt: Instant},
  ): void;
  /** Gives out the pieces that wait for the rest of their line. */
  release(stream: StampedStream, readAt: Instant): void;
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

/** The own time, or right behind the line before it where that is later. */
const later = (plan: Instant | 'behind', floor = 0n): Instant => (plan === 'behind' || plan < floor ? floor : plan);

export const createLineStamper = ({
  clock: clockState,
  pods,
  takeSequence,
  add: addLine,
}: LineStamperOptions): LineStamper => {
  const clock = createStampClock(clockState);

  const setStamps = (stream: StampedStream, stamps: Partial<StreamStamps>): void => {
    stream.stamps = {...stream.stamps, ...stamps};
  };

  const add = (stream: StampedStream, sequence: number, stamp: Instant, text: string): void => {
    setStamps(stream, {last: stamp});
    addLine({sequence, podKey: stream.podKey, stamp, text});
  };

  const addAsRead = (stream: StampedStream, text: string, readAt: Instant): void => {
    const sequence = takeSequence();
    add(stream, sequence, clock.next({now: readAt, after: stream.stamps.last, sequence}), text);
  };

  /** A line of a container keeps its stamp, unless that lies ahead: whoever can forge a line can forge its stamp. */
  const addContainerText = (stream: StampedStream, text: string, stamp: Instant, readAt: Instant): void => {
    if (stamp > readAt + aheadNsMax) {
      addAsRead(stream, text, readAt);
    } else {
      add(stream, takeSequence(), stamp, text);
    }
  };

  const addHeld = (stream: StampedStream, readAt: Instant): void => {
    for (const {stamp, text} of releaseHeldPieces(stream.held)) {
      addContainerText(stream, text, stamp, readAt);
    }
    stream.held = {};
  };

  const takeContainerLines = (stream: StampedStream, lines: readonly string[], readAt: Instant): void => {
    for (const line of lines) {
      const containerLine = parseContainerLine(line);
      if (!containerLine) {
        addContainerText(stream, line, stream.stamps.last ?? readAt, readAt);
        continue;
      }
      const {held, whole} = joinContainerLine(stream.held, containerLine);
      stream.held = held;
      for (const {stamp, text} of whole) {
        addContainerText(stream, text, stamp, readAt);
      }
    }
  };

  const takePlainLines = (stream: StampedStream, lines: readonly string[], readAt: Instant): void => {
    const readTime = (line: string): Instant | undefined =>
      pods.get(stream.podKey)?.stamps === 'read' ? undefined : readOwnTime(line, {now: readAt, localMs: machineMs});
    const wasBacklog = stream.stamps.isBacklog;
    const {plans, isBacklog} = planStamps(lines, {now: readAt, oldNs: aheadNsMax, isBacklog: wasBacklog, readTime});
    for (const [index, text] of lines.entries()) {
      const plan = plans[index] ?? 'read';
      const {last} = stream.stamps;
      // A stamp from a clock that was ahead must not hold up what comes after the clock was set right.
      const floor = last === undefined || last > readAt + aheadNsMax ? undefined : last + 1n;
      if (plan === 'read' || (plan === 'behind' && floor === undefined)) {
        addAsRead(stream, text, readAt);
      } else {
        add(stream, takeSequence(), later(plan, floor), text);
      }
    }
    setStamps(stream, {isBacklog});
  };

  const settleFormat = (stream: StampedStream, lines: readonly string[], head: Buffer): LineFormat => {
    const known = pods.get(stream.podKey)?.format ?? stream.stamps.format;
    if (known) {
      return known;
    }
    const {format, isSettled} = tellFormat(head, lines);
    setStamps(stream, {format: isSettled ? format : undefined});
    return format;
  };

  const takeLines: LineStamper['take'] = (stream, lines, {head, readAt}) => {
    if (lines.length === 0) {
      return;
    }
    if (settleFormat(stream, lines, head) === 'container') {
      takeContainerLines(stream, lines, readAt);
      return;
    }
    // Its first line alone looked like a container's.
    addHeld(stream, readAt);
    takePlainLines(stream, lines, readAt);
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
