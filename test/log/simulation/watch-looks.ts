import type {Entry, GapMarker, LineEntry} from '../../../src/log/line/entry.ts';
import type {Instant} from '../../../src/log/line/instant.ts';
import type {ClusterLine, ClusterLook, ClusterOptions} from './simulated-cluster.ts';
import type {Subject} from './subject.ts';

/** What a marker says: lines from `from` to `to` may be missing; those of one pod, where it went. */
export type LossMark = {
  readonly kind: 'gap' | 'quiet' | 'gone';
  readonly from: Instant;
  readonly to: Instant;
  readonly pod: string | undefined;
  /** The answer that brought it; of a gap that grew the last one. */
  readonly lookIndex: number;
};

/** One answer and what the log made of it. */
export type WatchedLook = ClusterLook & {
  readonly added: readonly Entry[];
  readonly wholeSince: Instant | undefined;
  /** It brought a gap, or a gap grew. */
  readonly gap: GapMarker | undefined;
};

/** A service's answers, and the log that was put together from them. */
export type Watched = {
  readonly options: ClusterOptions;
  readonly arrived: readonly ClusterLine[];
  readonly looks: readonly WatchedLook[];
  readonly held: readonly LineEntry[];
  /** As a reader has them at the end: one that grew is one. */
  readonly marks: readonly LossMark[];
  /** All of these times have left the buffer. */
  readonly floor: Instant | undefined;
};

type Answers = {
  readonly options: ClusterOptions;
  readonly arrived: readonly ClusterLine[];
  readonly looks: readonly ClusterLook[];
};

/** Hands a service's answers to a log, one after the other. */
export const watchLooks = ({options, arrived, looks}: Answers, subject: Subject): Watched => {
  const watched: WatchedLook[] = [];
  const marks: LossMark[] = [];
  for (const [lookIndex, look] of looks.entries()) {
    const added = subject.take(look.window);
    let gap: GapMarker | undefined;
    for (const entry of added) {
      switch (entry.kind) {
        case 'gap': {
          gap = entry;
          const lastGap = entry.grows ? marks.findLastIndex(({kind}) => kind === 'gap') : -1;
          marks.splice(lastGap === -1 ? marks.length : lastGap, lastGap === -1 ? 0 : 1, {
            kind: 'gap',
            from: entry.after,
            to: entry.before,
            pod: undefined,
            lookIndex,
          });
          break;
        }
        case 'quiet':
          // It stands for all that came and went up to the lines that this answer shows.
          marks.push({kind: 'quiet', from: entry.since, to: newestOf(look), pod: undefined, lookIndex});
          break;
        case 'pod':
          if (entry.change === 'gone') {
            marks.push({kind: 'gone', from: entry.since ?? 0n, to: endOfTime, pod: entry.name, lookIndex});
          }
          break;
        default:
          break;
      }
    }
    watched.push({...look, added, wholeSince: subject.wholeSince(), gap});
  }
  return {options, arrived, looks: watched, held: subject.lines(), marks, floor: subject.floor()};
};

const newestOf = ({shown}: ClusterLook): Instant => shown.reduce((most, {at}) => (at > most ? at : most), 0n);

const endOfTime: Instant = 1n << 100n;
