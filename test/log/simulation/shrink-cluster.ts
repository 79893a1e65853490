import {type ClusterFamily, type DrawnCluster, drawCluster} from './random-cluster.ts';

/**
 * Leaves out steps of a drawn service, as many at once as possible and then one by one, as long as what is left still
 * has the fault. Returns the last one that has it.
 */
export const shrinkCluster = (
  {seed, family, scenario}: {readonly seed: number; readonly family: ClusterFamily; readonly scenario: number},
  hasFault: (drawn: DrawnCluster) => boolean,
): DrawnCluster => {
  let skipped: ReadonlySet<number> = new Set();
  let smallest = drawCluster(seed, family, scenario);
  const {stepCount} = smallest;
  for (let size = Math.ceil(stepCount / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = stepCount; from >= 1; from -= size) {
      const more = new Set(skipped);
      for (let step = Math.max(1, from - size + 1); step <= from; step++) {
        more.add(step);
      }
      const drawn = drawCluster(seed, family, scenario, {skipped: more});
      if (more.size > skipped.size && hasFault(drawn)) {
        skipped = more;
        smallest = drawn;
      }
    }
  }
  return smallest;
};
