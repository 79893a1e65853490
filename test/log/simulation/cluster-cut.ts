import type {Instant} from '#log/line/instant.ts';
import type {ClusterLine} from './simulated-cluster.ts';

/** How a service chooses the lines of a window. */
export type ClusterCut = {
  /** What is cut as one: the branch, each pod, or each container within a pod. */
  readonly per: 'branch' | 'pod' | 'source';
  /** The order whose last lines are kept: by timestamp or by arrival. */
  readonly by: 'stamp' | 'arrival';
  /** So many lines of each part; undefined without such a limit. */
  readonly lines?: number | undefined;
  /** The limits are the window's, and each part has an equal share of them. */
  readonly isShared?: boolean | undefined;
  /** So many characters of each part, but one line at least. */
  readonly bytes?: number | undefined;
  /** No line that is older than this by the service's own clock, whatever its stamp. */
  readonly spanNanos?: bigint | undefined;
};

/**
 * The order of a window: by stamp or by arrival, newest first, one part after the other in the order by which it is
 * cut, one pod after the other by stamp, or one container after the other by arrival.
 */
export type ClusterShow = 'stamp' | 'arrival' | 'reversed' | 'parts' | 'pods' | 'sources';

export type ChooseInput = {
  readonly cut: ClusterCut;
  readonly show: ClusterShow;
  /** The lines that are there, of each part in the order by which it is cut. */
  readonly parts: ReadonlyMap<string, readonly ClusterLine[]>;
  readonly now: Instant;
};

/** What a line is cut with. */
export const partOf = ({per}: Pick<ClusterCut, 'per'>, {pod, source}: ClusterLine): string =>
  per === 'branch' ? '' : per === 'pod' ? pod : source;

/** The lines of the window, in its order. */
export const chooseLines = ({cut, show, parts, now}: ChooseInput): readonly ClusterLine[] => {
  const all = [...parts]
    .sort(([a], [b]) => compare(a, b))
    .flatMap(([, lines]) => withinSpan(withinLimits(lines, cut, parts.size), cut, now));
  switch (show) {
    case 'parts':
      return all;
    case 'stamp':
      return all.sort(byStamp);
    case 'arrival':
      return all.sort(bySeq);
    case 'reversed':
      return all.sort(cut.by === 'stamp' ? byStamp : bySeq).reverse();
    case 'pods':
      return all.sort((a, b) => compare(a.pod, b.pod) || byStamp(a, b));
    case 'sources':
      return all.sort((a, b) => compare(mirrored(a.source), mirrored(b.source)) || bySeq(a, b));
    default:
      return show satisfies never;
  }
};

/** However many parts share a window, each shows so many lines. */
const sharedLinesMin = 6;

const withinLimits = (
  lines: readonly ClusterLine[],
  {lines: linesMax, bytes, isShared = false}: ClusterCut,
  partCount: number,
): readonly ClusterLine[] => {
  const ofEach = (limit: number, least: number): number =>
    Math.max(least, isShared ? Math.floor(limit / partCount) : limit);
  const last = linesMax === undefined ? lines : lines.slice(-ofEach(linesMax, isShared ? sharedLinesMin : 1));
  if (bytes === undefined) {
    return last;
  }
  const bytesMax = ofEach(bytes, 1);
  let sum = 0;
  let start = last.length;
  while (start > 0 && (sum === 0 || sum + (last[start - 1]?.raw.length ?? 0) <= bytesMax)) {
    start -= 1;
    sum += last[start]?.raw.length ?? 0;
  }
  return last.slice(start);
};

const withinSpan = (
  lines: readonly ClusterLine[],
  {spanNanos, by}: ClusterCut,
  now: Instant,
): readonly ClusterLine[] =>
  spanNanos === undefined
    ? lines
    : lines.filter(({arrivedAt, at}) => (by === 'arrival' ? arrivedAt : at) > now - spanNanos);

const bySeq = (a: ClusterLine, b: ClusterLine): number => a.seq - b.seq;
const byStamp = (a: ClusterLine, b: ClusterLine): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : bySeq(a, b));
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** An order of containers that is no order of names, and always the same. */
const mirrored = (source: string): string => [...source].reverse().join('');
