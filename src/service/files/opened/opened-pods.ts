import {type Instant, parseInstant} from '#log/line/instant.ts';
import type {PodRecord} from '#service/backend/backend.ts';
import type {LineSourceSetup} from '#service/served/line-source.ts';
import {makePodRecord} from '#service/served/served-records.ts';
import type {StreamNames} from '#service/window/line-stamper.ts';
import type {BeginsAt} from '../read-plain.ts';

/** Something to wait for: a change, or the time that a look takes place without one. */
export const createWakeSignal = () => {
  let isRung = false;
  let answer: (() => void) | undefined;
  return {
    ring: (): void => {
      isRung = true;
      answer?.();
    },
    wait: async (limitMs: number): Promise<void> => {
      if (!isRung) {
        const {promise, resolve} = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, limitMs);
        answer = resolve;
        await promise;
        clearTimeout(timer);
        answer = undefined;
      }
      isRung = false;
    },
  };
};

/** Lines that are searched for a time of their own before all are taken for lines without one. */
const looksMax = 1_000;

/** Lines that are read back get times just before those that follow them, nanoseconds. */
const readBackNs = 1_000_000_000n;

type ArrivalTimes = {
  /** Looks for times in lines as served: a stamp, a space, and the text. */
  look(lines: readonly string[]): void;
  /** Lines up to this time were there before they could be seen to arrive. */
  noteThere(until: Instant): void;
  /** As `HeldFrom.arrivalsFrom`. */
  from(): Instant | undefined;
};

/** Finds out whether lines say when they were written, and which of those that do not were seen to arrive. */
export const createArrivalTimes = (
  openedAt: Instant,
  readTime: (text: string) => Instant | undefined,
): ArrivalTimes => {
  let looksLeft = looksMax;
  let isByArrival = false;
  let from = 0n;
  return {
    look: lines => {
      for (const line of lines.slice(0, looksLeft)) {
        const textIndex = line.indexOf(' ') + 1;
        looksLeft -= 1;
        // A line of a container's log has the time that is written before its text.
        isByArrival =
          (parseInstant(line.slice(0, textIndex - 1)) ?? 0n) > openedAt - readBackNs &&
          !readTime(line.slice(textIndex));
        if (!isByArrival) {
          looksLeft = 0;
          return;
        }
      }
    },
    noteThere: until => {
      from = until;
    },
    from: () => (isByArrival ? from : undefined),
  };
};

/** Something that was opened by name: files that are followed, or a stream that is read once, to its end. */
export type OpenedSource = {
  /** As short as tells it from the others. */
  readonly name: string;
  /** The parts of a follower of files, or of a reader of a stream. */
  readonly setup: LineSourceSetup;
  /**
   * `files` are followed; `kept` is a compressed file, whose lines were there before; `live` is a stream whose lines
   * come as they are written.
   */
  readonly kind: 'files' | 'kept' | 'live';
  /** How it is read once, to its end, as it is; left out: it is not one file. */
  readonly reading?: FileReading | undefined;
  /** Says that it is left out, and why: this user may not read it now. */
  readonly refusal?: string;
};

/** Reads one file block by block, unpacked. A block need hold only until the next one is asked for. */
export type FileReading = {
  readonly path: string;
  /** What its path says of its writer; nothing of an archive. */
  readonly names: StreamNames;
  /** Reads it to see what it is. */
  peek(): AsyncIterable<Buffer>;
  /** Reads it, if it is not packed from a place on. */
  blocks(beginsAt?: BeginsAt): AsyncIterable<Buffer>;
  /** When it was written last, where its lines were written into it. */
  readonly writtenAt?: Instant | undefined;
  /** How many bytes it has, if that is known. */
  readonly size?: number | undefined;
};

type OpenedPodsOptions = {
  /** The id of the site and of its branch. */
  readonly id: string;
  readonly name: string;
  readonly sources: readonly OpenedSource[];
  readonly startedAtMs: number;
  /** Whether a stream ended so that it is to be told, by its name. */
  readonly isEndTold: (name: string) => boolean;
};

/** Creates the pods of what was opened by name, one for each source: a stream's goes when it ended. */
export const createOpenedPods = ({id, name, sources, startedAtMs, isEndTold}: OpenedPodsOptions) => {
  let shown: readonly PodRecord[] | undefined;
  const findLive = () => sources.filter(source => source.kind !== 'live' || !isEndTold(source.name));
  return {
    /** Returns those for an answer. The first has all: of a stream that was never there, no end would be told. */
    show: (): readonly PodRecord[] => {
      const live = shown === undefined ? sources : findLive();
      if (shown?.length !== live.length) {
        shown = live.map(source =>
          makePodRecord({
            siteId: id,
            branchId: id,
            applicationName: name,
            namespace: id,
            name: source.name,
            source: source.setup.kind,
            createdAtMs: startedAtMs,
          }),
        );
      }
      return shown;
    },
    /** Whether the next answer will have fewer. */
    isEndAhead: (): boolean => shown?.length !== findLive().length,
  };
};
