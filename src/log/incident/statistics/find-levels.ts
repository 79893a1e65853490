/** A part of the time in which events came at one rate: those from `start` up to before `end`. Times are seconds. */
export type CountLevel = {readonly start: number; readonly end: number; readonly from: number; readonly to: number};

/** The time in which something is looked for, in seconds. */
export type HeldSpan = {readonly from: number; readonly to: number};

/** Each change of the rate must make the events likelier by so much, as a logarithm: chance hardly does. */
const changePrice = 6;
/** If there are more events, some of the times between them are tried first, and then the others near the best. */
const triedMax = 100;
/** Events within less time came at once. */
const lengthMin = 1;

/** Where a level may end: just before an event, or just after one. */
type Edge = {readonly at: number; readonly count: number};

/**
 * Divides the time into parts in each of which ascending times come at one rate: those by which they are the likeliest,
 * with a price for each part (optimal partitioning with pruning, of a Poisson process). The edges of what came are
 * events. O(times).
 */
export const findLevels = (
  times: readonly number[],
  held: HeldSpan,
  price: number = changePrice,
): readonly CountLevel[] => {
  const step = Math.max(1, Math.ceil(times.length / triedMax));
  const edges: Edge[] = [{at: held.from, count: 0}];
  for (let start = 0; start < times.length; start += step) {
    const end = Math.min(times.length, start + step);
    edges.push({at: times[start] ?? 0, count: start}, {at: times[end - 1] ?? 0, count: end});
  }
  edges.push({at: Math.max(held.to, times.at(-1) ?? held.to), count: times.length});
  const refined = [...likeliestEdges(edges, price)];
  for (let index = 1; step > 1 && index < refined.length - 1; index++) {
    refined[index] = refine(times, refined, index, step);
  }
  // If two edges were tried around a true one, one is needless once the other is in its place.
  for (let index = refined.length - 2; step > 1 && index > 0; index--) {
    const [before, edge, after] = refined.slice(index - 1);
    if (before && edge && after && costOf(before, after) <= costOf(before, edge) + costOf(edge, after) + price) {
      refined.splice(index, 1);
    }
  }
  const levels = refined.slice(1).flatMap((end, index): readonly CountLevel[] => {
    const begin = refined[index] ?? end;
    return end.at > begin.at || end.count > begin.count
      ? [{start: begin.count, end: end.count, from: begin.at, to: end.at}]
      : [];
  });
  // Between the events that were tried there may be a short level.
  return step === 1 || levels.length === 1
    ? levels
    : levels.flatMap(({start, ...level}) =>
        findLevels(times.slice(start, level.end), level, price).map(part => ({
          ...part,
          start: start + part.start,
          end: start + part.end,
        })),
      );
};

const costOf = (from: Edge, to: Edge): number => {
  const count = to.count - from.count;
  return count <= 0 ? 0 : -count * Math.log(count / Math.max(to.at - from.at, lengthMin));
};

const likeliestEdges = (edges: readonly Edge[], price: number): readonly Edge[] => {
  const costs = new Float64Array(edges.length);
  const befores = new Int32Array(edges.length);
  let open = [0];
  for (let index = 1; index < edges.length; index++) {
    const edge = edges[index] ?? edges[0];
    let least = Number.POSITIVE_INFINITY;
    const each = open.map(before => {
      const from = edges[before];
      const cost = from === undefined || edge === undefined ? 0 : (costs[before] ?? 0) + costOf(from, edge);
      if (cost < least) {
        least = cost;
        befores[index] = before;
      }
      return cost;
    });
    costs[index] = least + price;
    // A beginning that is worse by more than the price of one part never becomes the better one.
    open = open.filter((_, place) => (each[place] ?? 0) <= least + price);
    open.push(index);
  }
  const found: Edge[] = [];
  for (let index = edges.length - 1; index > 0; index = befores[index] ?? 0) {
    found.push(edges[index] ?? {at: 0, count: 0});
  }
  return [...edges.slice(0, 1), ...found.reverse()];
};

/** Moves an edge to the event near it by which its two levels are the likeliest. */
const refine = (times: readonly number[], edges: readonly Edge[], index: number, step: number): Edge => {
  const [before, edge, after] = [edges[index - 1], edges[index], edges[index + 1]];
  if (before === undefined || after === undefined || edge === undefined) {
    return edge ?? {at: 0, count: 0};
  }
  let best = edge;
  let least = Number.POSITIVE_INFINITY;
  const last = Math.min(after.count, edge.count + step);
  for (let count = Math.max(before.count, edge.count - step); count <= last; count++) {
    // Just after the last event before it, or just before the first one after it.
    for (const at of [times[count - 1], times[count]]) {
      if (at !== undefined && at >= before.at && at <= after.at) {
        const tried = {at, count};
        const cost = costOf(before, tried) + costOf(tried, after);
        if (cost < least) {
          least = cost;
          best = tried;
        }
      }
    }
  }
  return best;
};
