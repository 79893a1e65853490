import type {Entry, GapMarker, LineEntry} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Proof} from '#log/line/proof.ts';
import {type Sent, sentLines} from './sent-lines.ts';
import type {ClusterLine, ClusterLook, ClusterOptions} from './simulated-cluster.ts';
import type {Subject} from './subject.ts';

/** What a marker says: lines from `from` to `to` may be missing; those of one pod, where it went. */
export type LossMark = {
  readonly kind: 'gap' | 'quiet' | 'gone';
  /** Of its entry, which a gap keeps when it grows. */
  readonly id: number;
  readonly from: Instant;
  readonly to: Instant;
  readonly pod: string | undefined;
  /** The answer that brought it, and of a gap that grew the last that made it grow. */
  readonly firstIndex: number;
  readonly lookIndex: number;
};

/** One answer and what the log made of it. */
export type WatchedLook = ClusterLook & {
  readonly added: readonly Entry[];
  readonly wholeSince: Instant | undefined;
  readonly proof: Proof;
  /** It brought a gap, or a gap grew. */
  readonly gap: GapMarker | undefined;
};

/** A service's answers, and the log that was put together from them. */
export type Watched = {
  readonly options: ClusterOptions;
  readonly arrived: readonly ClusterLine[];
  readonly looks: readonly WatchedLook[];
  /** Lines that no limit took from the service. */
  readonly removed: ReadonlySet<ClusterLine>;
  readonly held: readonly LineEntry[];
  /** As a reader has them at the end: one that grew is one. */
  readonly marks: readonly LossMark[];
  /** What the texts of the answers were. */
  readonly sent: Sent;
  /** All of these times have left the buffer. */
  readonly floor: Instant | undefined;
};

type Answers = {
  readonly options: ClusterOptions;
  readonly arrived: readonly ClusterLine[];
  readonly looks: readonly ClusterLook[];
  readonly removed: ReadonlySet<ClusterLine>;
};

/** Hands a service's answers to a log, one after the other. */
export const watchLooks = ({options, arrived, looks, removed}: Answers, subject: Subject): Watched => {
  const watch = createWatch();
  for (const look of looks) {
    const added = subject.take(look.window);
    watch.take(look, added, subject);
  }
  return watch.end({options, arrived, removed, held: subject.lines(), floor: subject.floor()});
};

/** Keeps what a log made of each answer. */
export const createWatch = () => {
  const looks: WatchedLook[] = [];
  const marks: LossMark[] = [];
  return {
    /** A log took an answer, and added lines and markers; a gap that grew is among them. */
    take: (look: ClusterLook, added: readonly Entry[], says: Pick<Subject, 'wholeSince' | 'proof'>): void => {
      const lookIndex = looks.length;
      let gap: GapMarker | undefined;
      for (const entry of added) {
        switch (entry.kind) {
          case 'gap': {
            gap = entry;
            const same = marks.findIndex(({kind, id}) => kind === 'gap' && id === entry.id);
            const grown = same === -1 ? marks.findLastIndex(({kind}) => kind === 'gap') : same;
            const lastGap = entry.grows ? grown : -1;
            marks.splice(lastGap === -1 ? marks.length : lastGap, lastGap === -1 ? 0 : 1, {
              kind: 'gap',
              id: entry.id,
              from: entry.after,
              to: entry.before,
              pod: undefined,
              firstIndex: marks[lastGap]?.firstIndex ?? lookIndex,
              lookIndex,
            });
            break;
          }
          case 'quiet':
            // It stands for all that came and went up to the lines that this answer shows.
            marks.push({
              kind: 'quiet',
              id: entry.id,
              from: entry.since,
              to: newestOf(look),
              pod: undefined,
              firstIndex: lookIndex,
              lookIndex,
            });
            break;
          case 'pod':
            if (entry.change === 'gone' && entry.isWhole !== true) {
              marks.push({
                kind: 'gone',
                id: entry.id,
                from: entry.since ?? 0n,
                to: endOfTime,
                pod: entry.name,
                firstIndex: lookIndex,
                lookIndex,
              });
            }
            break;
          default:
            break;
        }
      }
      looks.push({...look, added, wholeSince: says.wholeSince(), proof: says.proof(), gap});
    },
    /** All that there is to judge. */
    end: (rest: Pick<Watched, 'options' | 'arrived' | 'removed' | 'held' | 'floor'>): Watched => ({
      ...rest,
      looks: [...looks],
      marks: [...marks],
      sent: sentLines(rest.arrived, looks),
    }),
  };
};

const newestOf = ({shown}: ClusterLook): Instant => shown.reduce((most, {at}) => (at > most ? at : most), 0n);

const endOfTime: Instant = 1n << 100n;
