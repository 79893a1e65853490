import {instantToMs} from '../line/instant.ts';
import type {Numbering} from '../line/numbering.ts';
import {readLine} from '../line/window-line.ts';
import {type Follow, followNothing} from '../reading/continuation.ts';
import {readError} from '../traits/error-lines.ts';
import type {Work} from '../work/work.ts';
import {errorCharsMax, type Pulse, type PulseError} from './pulse.ts';
import {pulseOfTimes} from './pulse-of-times.ts';

/** Reading the levels of so many lines takes about a millisecond. */
const linesPerPause = 256;

/**
 * Counts the lines and errors of a window. Lines of a trace are part of their error, as everywhere; who wrote a line
 * decides what it continues, where the service says so. `toMs`: the service's clock at the answer, milliseconds since
 * 1970; without it the window ends with its newest line.
 */
export function* countWindow(
  lines: readonly string[],
  numbering: Pick<Numbering, 'runs'> | undefined,
  toMs: number | undefined,
): Work<Pulse> {
  const [times, errorTimes]: [number[], number[]] = [[], []];
  let lastError: PulseError | undefined;
  const follows = new Map<number, Follow>();
  let atMs: number | undefined;
  let [run, leftInRun] = [-1, 0];
  for (const [index, raw] of lines.entries()) {
    while (leftInRun === 0 && numbering !== undefined && run + 1 < numbering.runs.length) {
      run += 1;
      leftInRun = numbering.runs[run]?.[1] ?? 0;
    }
    leftInRun -= 1;
    const source = numbering?.runs[run]?.[0] ?? 0;
    const line = readLine(raw);
    // Without a time of its own a line has that of the line before.
    atMs = line === undefined ? atMs : instantToMs(line.at);
    const text = line === undefined ? raw : raw.slice(line.textIndex);
    const {follow, isError} = readError(follows.get(source) ?? followNothing, text);
    follows.set(source, follow);
    if (atMs !== undefined) {
      times.push(atMs);
      if (isError) {
        errorTimes.push(atMs);
        lastError = atMs < (lastError?.atMs ?? atMs) ? lastError : {atMs, text: text.slice(0, errorCharsMax)};
      }
    }
    if (index % linesPerPause === linesPerPause - 1) {
      yield;
    }
  }
  return pulseOfTimes({times, errorTimes, lastError, untimedCount: lines.length - times.length, toMs});
}
