import type {ClusterLine, ClusterLook} from './simulated-cluster.ts';

/**
 * Says of each answer whether an item that is no string stands in it between two other lines than in the answer before:
 * nothing tells it from a new one then.
 */
export const findMovedItems = (looks: readonly Pick<ClusterLook, 'noStrings' | 'window'>[]): readonly boolean[] => {
  const places = new Map<ClusterLine, readonly (string | undefined)[]>();
  return looks.map(({noStrings, window: {lines, notLines = []}}) => {
    let hasMoved = false;
    for (const [index, line] of noStrings.entries()) {
      const place = notLines[index] ?? 0;
      const [before, after] = [lines[place - 1], lines[place]];
      const last = places.get(line);
      hasMoved ||= last !== undefined && last[0] !== before && last[1] !== after;
      places.set(line, [before, after]);
    }
    return hasMoved;
  });
};
