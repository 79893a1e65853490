import {meansWorkload, parseWorkload} from '#base/workload-kinds.ts';

/** Checks whether a word names a workload of the branch, as for kubectl: `deployment/web`, `sts/db`, or only `web`. */
export const isOfWorkload = ({workloads}: {readonly workloads: readonly string[]}, word: string): boolean => {
  const wanted = parseWorkload(word);
  return (
    wanted !== undefined &&
    workloads.some(workload => {
      const {kind, name} = parseWorkload(workload) ?? {};
      return kind !== undefined && name !== undefined && meansWorkload(wanted, {kind, name});
    })
  );
};
