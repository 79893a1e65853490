import {formatWorkload} from '#base/workload-kinds.ts';
import type {Workload} from '../objects/decode-workload.ts';

/** A workload, and for a CronJob the Jobs that it has made, the newest first. */
export type WorkloadWithJobs = Workload & {readonly jobs?: readonly Workload[]};

/** The last Job says how the CronJob does; no Job yet: it has done all that it should have. */
const addJobs = (cronJob: Workload, jobs: readonly Workload[]): WorkloadWithJobs => {
  const [newest] = jobs;
  return {...cronJob, jobs, ...(newest && {state: {...newest.state, isInUse: true, existing: undefined}})};
};

/** Times are whole seconds; the names of Jobs end with the minute that they were due. */
const newestFirst = (a: Workload, b: Workload): number => b.createdAtMs - a.createdAtMs || (a.name < b.name ? 1 : -1);

/** Puts the Jobs of each CronJob into it. A Job whose CronJob is not known stays as it is. */
export const groupJobs = (workloads: readonly Workload[]): readonly WorkloadWithJobs[] => {
  const cronJobs = new Set(workloads.filter(({kind}) => kind === 'cronjob').map(formatWorkload));
  const ownerName = ({owner}: Workload): string => (owner === undefined ? '' : formatWorkload(owner));
  const [made, others] = [
    workloads.filter(each => cronJobs.has(ownerName(each))),
    workloads.filter(each => !cronJobs.has(ownerName(each))),
  ];
  const jobsOf = Map.groupBy(made.toSorted(newestFirst), ownerName);
  return others.map(each => {
    const jobs = jobsOf.get(formatWorkload(each));
    return jobs === undefined ? each : addJobs(each, jobs);
  });
};
