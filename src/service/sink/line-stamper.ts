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
  /** Undefined: determined by each stream's first lines. */
  readonly format?: LineFormat | undefined;
  /** `own` (default): a plain line written before it was read keeps its own time. `read`: never. */
  readonly stamps?: 'own' | 'read' | undefined;
};

/** Consecutive lines of one pod: a file, the output of a command. Keeps what the next lines need. */
export type StampedStream = {
  readonly podKey: number;
  stamps: StreamStamps;
  held: HeldPieces;
};

/** Parses a stream's lines in its format and stamps each. What the next lines need stays with the stream. */
export type LineStamper = {
  /** Stamps lines that were read together. `head`: the stream's first bytes, which determine its format. */
  take(
    stream: StampedStream,
    lines: readonly string[],
    reading: {readonly head: Buffer; readonly readAt: Instant},
  ): void;
  /** Emits the pieces that wait for the rest of their line. */
  release(stream: StampedStream, readAt: Instant): void;
  /**
   * Tells whether the lines of a file can be ordered by times of their own. `head`: the file's first bytes; `lines`:
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

/** Returns the line's own time, or the floor if that is later or the line follows the previous one. */
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

  /**
   * Adds a container line with its own stamp, unless that is in the future: whoever can forge a line can forge its
   * stamp.
   */
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
      // A stamp from a clock that was ahead must not hold up what comes after the clock was corrected.
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
    // Only its first line looked like a container line.
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
