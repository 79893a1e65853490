import {earliestOf, type Instant} from '#log/line/instant.ts';
import {
  type ContainerLine,
  type HeldPieces,
  joinContainerLine,
  mayBeginContainerLine,
  parseContainerLine,
  releaseHeldPieces,
  type StampedText,
  type StreamText,
} from './container-line.ts';
import {fingerprintBytesMax} from './fingerprint.ts';
import {readOwnTime} from './read-own-time.ts';
import {splitLines} from './split-lines.ts';
import {aheadNsMax, type ClockState, createStampClock, type LineFormat, type StreamStamps} from './stored-state.ts';

/**
 * Source of a plain line's stamp: its own time, the time of reading, or the previous line in its file, which it
 * directly follows.
 */
type StampPlan = Instant | 'read' | 'after';

type StampPlanning = {
  readonly now: Instant;
  readonly oldNs: bigint;
  readonly isBacklog: boolean;
  readonly readTime: (line: string) => Instant | undefined;
};

type StampPlans = {readonly plans: readonly StampPlan[]; readonly isBacklog: boolean};

const hourNs = 3_600_000_000_000n;

/** Returns how many minutes the machine's clocks are behind UTC. */
const minutesBehind = (at: Instant): number => new Date(Number(at / 1_000_000n)).getTimezoneOffset();

/**
 * When clocks are set back, an hour comes twice: a time without a zone that goes back within it is of the second one.
 */
export const inSecondHour = (own: Instant, previous: Instant | undefined): Instant =>
  previous !== undefined &&
  own < previous &&
  previous - own < hourNs &&
  minutesBehind(own + hourNs) - minutesBehind(own) === 60
    ? own + hourNs
    : own;

/**
 * Plans the stamps of lines that were read together at `now`. A line whose own time is more than `oldNs` before `now`
 * was written earlier and keeps its time; if its time is closer, it was read as it was written. A time more than
 * `oldNs` ahead is not trusted and counts as none. A line without a time goes with the previous line or, at the front,
 * with the next one that has a time. `isBacklog`: the line before the first one kept its own time.
 */
export const planStamps = (lines: readonly string[], {now, oldNs, isBacklog, readTime}: StampPlanning): StampPlans => {
  const plans: StampPlan[] = [];
  let previous: Instant | undefined;
  let untimed: 'read' | 'after' | undefined = isBacklog ? 'after' : undefined;
  for (const line of lines) {
    const read = readTime(line);
    const own = read === undefined ? undefined : inSecondHour(read, previous);
    previous = own ?? previous;
    if (own === undefined || own > now + oldNs) {
      plans.push(untimed ?? 'read');
      continue;
    }
    const plan = now - own > oldNs ? own : 'read';
    if (untimed === undefined) {
      plans.fill(plan);
    }
    plans.push(plan);
    untimed = plan === 'read' ? 'read' : 'after';
  }
  return {plans, isBacklog: untimed === 'after'};
};

const isContainerLine = (line: string): boolean => parseContainerLine(line) !== undefined;

/** Splits a file's first bytes into lines; if a single line is longer than them, the part that is there counts. */
const splitHead = (head: Buffer): readonly string[] => {
  const {lines, bytesUsed} = splitLines(head, {atEnd: false});
  if (lines.length > 0 || head.length < fingerprintBytesMax || bytesUsed === head.length) {
    return lines;
  }
  return splitLines(head, {atEnd: true}).lines;
};

/**
 * Determines the format of a file from its first bytes, never from later lines, which anyone may have forged: the first
 * lines of a container file are all container lines. `lines` decide if the first bytes contain no text. A container
 * file is settled once its first `fingerprintBytesMax` bytes are known, a plain one at once.
 */
const tellFormat = (
  head: Buffer,
  lines: readonly string[],
): {readonly format: LineFormat; readonly isSettled: boolean} => {
  const first = splitHead(head);
  const isTold = first.length > 0 && first.every(isContainerLine);
  // A long line of Docker's says what it is only past the first bytes.
  const isContainer = isTold || (first.every(mayBeginContainerLine) && lines.every(isContainerLine));
  const isKnown = head.length >= fingerprintBytesMax && (isTold || lines.length > 0);
  return {format: isContainer ? 'container' : 'plain', isSettled: !isContainer || isKnown};
};

/** How a pod's lines are read. */
export type PodReading = {
  /** Names the pod to readers. */
  readonly name?: string | undefined;
  /** The pod has several files, so that a line is of the stream that its file names. */
  readonly hasFiles?: boolean | undefined;
  /** The files are sources of their own, as containers of a pod are. */
  readonly hasNamedFiles?: boolean | undefined;
  /** Undefined: determined by each stream's first lines. */
  readonly format?: LineFormat | undefined;
  /** `own` (default): a plain line written before it was read keeps its own time. `read`: never. */
  readonly stamps?: 'own' | 'read' | undefined;
};

/** The writer of a stream, as far as it is known besides its pod. */
export type StreamNames = {
  readonly container?: string | undefined;
  /** A name for all lines of the stream. */
  readonly stream?: string | undefined;
  /** A name for lines that say no stream of their own, where the pod has several files. */
  readonly file?: string | undefined;
};

/** Consecutive lines of one pod: a file, the output of a command. Keeps what the next lines need. */
export type StampedStream = {
  readonly podKey: number;
  readonly names?: StreamNames | undefined;
  /** When its file was written last, if it is one: a time without a year is no later. */
  readonly writtenAt?: Instant | undefined;
  stamps: StreamStamps;
  held: HeldPieces;
};

type LineReading = {
  /** The stream's first bytes, which determine its format. */
  readonly head: Buffer;
  readonly readAt: Instant;
  /** The number of the line before. */
  readonly after: number;
  /** The stream ends here: so do pieces that wait for the rest of their line. */
  readonly endsHere: boolean;
};

export type StampedLine = {
  readonly sequence: number;
  readonly stamp: Instant;
  readonly text: string;
  /** The stream that the line names itself. */
  readonly ownStream: ContainerLine['stream'] | undefined;
};

type LineStamperOptions = {
  readonly clock: ClockState;
  /** By the pod's key in the state. */
  readonly pods: ReadonlyMap<number, PodReading>;
};

/** Returns the line's own time, or the floor if that is later or the line follows the previous one. */
const later = (plan: Instant | 'after', floor = 0n): Instant => (plan === 'after' || plan < floor ? floor : plan);

/** Parses a stream's lines in its format and stamps each. What the next lines need stays with the stream. */
export const createLineStamper = ({clock: clockState, pods}: LineStamperOptions) => {
  const clock = createStampClock(clockState);
  // For the lines that are taken now.
  let taken: StampedLine[] = [];
  let sequence = 0;
  let last: Instant | undefined;

  const setStamps = (stream: StampedStream, stamps: Partial<StreamStamps>): void => {
    stream.stamps = {...stream.stamps, ...stamps};
  };

  const add = (stamp: Instant, text: string, ownStream?: ContainerLine['stream']): void => {
    last = stamp;
    sequence += 1;
    taken.push({sequence, stamp, text, ownStream});
  };

  const addAsRead = (text: string, readAt: Instant, ownStream?: ContainerLine['stream']): void =>
    add(clock.next({now: readAt, after: last, sequence: sequence + 1}), text, ownStream);

  /**
   * Adds a container line with its own stamp, unless that is in the future: whoever can forge a line can forge its
   * stamp.
   */
  const addContainerText = (
    {stamp, text, stream}: StampedText & Partial<Pick<StreamText, 'stream'>>,
    readAt: Instant,
  ): void => {
    if (stamp > readAt + aheadNsMax) {
      addAsRead(text, readAt, stream);
    } else {
      add(stamp, text, stream);
    }
  };

  const addHeld = (stream: StampedStream, readAt: Instant): void => {
    for (const piece of releaseHeldPieces(stream.held)) {
      addContainerText(piece, readAt);
    }
    stream.held = {};
  };

  const addContainerLines = (stream: StampedStream, lines: readonly string[], readAt: Instant): void => {
    for (const line of lines) {
      const containerLine = parseContainerLine(line);
      if (!containerLine) {
        addContainerText({text: line, stamp: last ?? readAt}, readAt);
        continue;
      }
      const {held, whole} = joinContainerLine(stream.held, containerLine);
      stream.held = held;
      for (const text of whole) {
        addContainerText({...text, stream: containerLine.stream}, readAt);
      }
    }
  };

  const addPlainLines = (stream: StampedStream, lines: readonly string[], readAt: Instant): void => {
    const readsTime = pods.get(stream.podKey)?.stamps !== 'read';
    const context = {now: earliestOf([readAt, stream.writtenAt]) ?? readAt};
    const {plans, isBacklog} = planStamps(lines, {
      now: readAt,
      oldNs: aheadNsMax,
      isBacklog: stream.stamps.isBacklog,
      readTime: line => (readsTime ? readOwnTime(line, context) : undefined),
    });
    const limit = readAt + aheadNsMax;
    for (const [index, text] of lines.entries()) {
      const plan = plans[index] ?? 'read';
      // A stamp from a clock that was ahead must not hold up what comes after the clock was corrected.
      const floor = last === undefined || last > limit ? undefined : last + 1n;
      if (plan === 'read' || (plan === 'after' && floor === undefined)) {
        addAsRead(text, readAt);
      } else {
        add(later(plan, floor), text);
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

  const addLines = (stream: StampedStream, lines: readonly string[], {head, readAt}: LineReading): void => {
    if (settleFormat(stream, lines, head) === 'container') {
      addContainerLines(stream, lines, readAt);
      return;
    }
    // Only its first line looked like a container line.
    addHeld(stream, readAt);
    addPlainLines(stream, lines, readAt);
  };

  return {
    /** Stamps lines that were read together, and numbers them. */
    take: (stream: StampedStream, lines: readonly string[], reading: LineReading): readonly StampedLine[] => {
      taken = [];
      sequence = reading.after;
      last = stream.stamps.last;
      if (lines.length > 0) {
        addLines(stream, lines, reading);
      }
      if (reading.endsHere) {
        addHeld(stream, reading.readAt);
      }
      setStamps(stream, {last});
      return taken;
    },
    /**
     * Tells whether the lines of a file can be ordered by times of their own. `head`: the file's first bytes; `lines`:
     * some of its last.
     */
    isTimed: (
      pod: PodReading | undefined,
      {head, lines, readAt}: {readonly head: Buffer; readonly lines: readonly string[]; readonly readAt: Instant},
    ): boolean => {
      if ((pod?.format ?? tellFormat(head, lines).format) === 'container') {
        return true;
      }
      const isBelieved = (own: Instant | undefined): boolean => own !== undefined && own <= readAt + aheadNsMax;
      return pod?.stamps !== 'read' && lines.some(line => isBelieved(readOwnTime(line, {now: readAt})));
    },
    clockState: clock.state,
  };
};
