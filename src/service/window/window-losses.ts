import type {SourceName} from '#log/line/entry.ts';
import {earliestOf, type Instant, latestOf} from '#log/line/instant.ts';
import {coversSource} from '#log/line/tag-sources.ts';

/** A place where lines are missing, as a source of lines reports it. */
export type NotedLoss = {
  /** Whose lines are missing: all sources that have at least these names. Left out: any. */
  readonly source?: SourceName | undefined;
  /** The pod whose lines are missing, where each has a window of its own. */
  readonly podKey?: number | undefined;
  /** The source's last line before the loss; left out: the last one in the window. */
  readonly after?: Instant | undefined;
  /** The source's first line after it; left out: the next one to arrive. */
  readonly before?: Instant | undefined;
  /** How many lines are missing, if that is known. */
  readonly lines?: number | undefined;
  /** A sentence for readers, without a full stop. */
  readonly why: string;
};

/** A loss in a window: ahead of the line with this number, which may be one that the next line will get. */
export type KeptLoss = NotedLoss & {
  readonly number: number;
  /** How many losses it stands for: past `lossesMax`, the oldest become one. */
  readonly count: number;
};

/** Why lines may be missing where a service starts without its state. */
export const unknownPast = 'the service could not store what it had read before it was restarted';

/** One entry each, for readers and in the state. */
export const lossesMax = 100;

/** Makes one loss of two that follow each other. */
const joinLosses = (earlier: KeptLoss, later: KeptLoss): KeptLoss => ({
  source: earlier.source === later.source ? later.source : undefined,
  podKey: earlier.podKey === later.podKey ? later.podKey : undefined,
  number: later.number,
  count: earlier.count + later.count,
  // An open end stays open.
  after: earlier.after && later.after && earliestOf([earlier.after, later.after]),
  before: earlier.before && later.before && latestOf([earlier.before, later.before]),
  why: earlier.why === later.why ? later.why : 'lines are missing at several places',
});

type LineAfter = {readonly sequence: number; readonly source: SourceName; readonly stamp: Instant};

/** The losses of a window, by number. */
export const createWindowLosses = (known: readonly KeptLoss[], countSoFar: number) => {
  let losses = known;
  let count = countSoFar;
  const isEndedBy = (loss: KeptLoss, sequence: number, source: SourceName): boolean =>
    loss.before === undefined && sequence >= loss.number && coversSource(loss.source, source);
  return {
    all: (): readonly KeptLoss[] => losses,
    /** Returns how many there were, those that have left included. */
    count: (): number => count,
    /** Adds a loss, also if no line has come since another one of the same source. */
    note: (loss: KeptLoss): void => {
      count += 1;
      losses = [...losses, loss];
      const [first, second, ...others] = losses;
      if (losses.length > lossesMax && first && second) {
        losses = [joinLosses(first, second), ...others];
      }
    },
    /** Ends the losses that a line is the first one after. */
    end: ({sequence, source, stamp}: LineAfter): void => {
      if (losses.some(loss => isEndedBy(loss, sequence, source))) {
        losses = losses.map(loss => (isEndedBy(loss, sequence, source) ? {...loss, before: stamp} : loss));
      }
    },
    /** Removes and returns those that leave. */
    release: (leaves: (loss: KeptLoss) => boolean): readonly KeptLoss[] => {
      const gone = losses.filter(leaves);
      losses = gone.length > 0 ? losses.filter(loss => !gone.includes(loss)) : losses;
      return gone;
    },
  };
};
