import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';

/** What the kernel counts a second of a process's time in; 100 nearly everywhere. */
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], {encoding: 'utf8'}));

/** The time a process has had of all cores together, its threads' with it, milliseconds. Linux only. */
export const cpuMsOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in parentheses and may hold blanks; what follows it begins with the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
};

/** Resident memory of a process, in thousands of the kernel's kB. Linux only. */
export const residentMbOf = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1000;
};
