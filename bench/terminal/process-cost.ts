import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';

/** Kernel clock ticks per second of process time; 100 nearly everywhere. */
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], {encoding: 'utf8'}));

/** Returns the CPU time of a process over all cores, including its threads, in milliseconds. Linux only. */
export const cpuMsOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program name in parentheses and may contain spaces; the text after it starts with the third
  // field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
};

const statusMbOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1000;
};

/** Returns the resident memory of a process, in thousands of the kernel's kB. Linux only. */
export const residentMbOf = (pid: number): number => statusMbOf(pid, 'VmRSS');

/** Returns the most resident memory that a process ever had, likewise. */
export const peakMbOf = (pid: number): number => statusMbOf(pid, 'VmHWM');
