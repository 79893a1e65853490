import {readFileSync} from 'node:fs';

/** Returns the resident memory of a process now, and the most it ever had, in MB. Linux only: it reads /proc. */
export const residentMb = (pid: number): {readonly now: number; readonly peak: number} => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1000;
  return {now: read('VmRSS'), peak: read('VmHWM')};
};
