import {instantToMs} from '#log/line/instant.ts';
import type {Numbering} from '#log/line/numbering.ts';
import {type Follow, followNothing} from '#log/reading/continuation.ts';
import {readError} from '#log/traits/error-lines.ts';
import type {Texts} from '#log/window/texts.ts';
import {readLine} from '#log/window/window-line.ts';
import {sourceKey} from '#log/words/source-words.ts';
import type {Work} from '#log/work.ts';
import {errorCharsMax, type Pulse, type PulseError} from '../overview/pulse.ts';
import {pulseOfTimes} from './pulse-of-times.ts';

type RunsOfSources = Pick<Numbering, 'runs'> & Partial<Pick<Numbering, 'sources'>>;

/** Reading the levels of so many lines takes about a millisecond. */
const linesPerPause = 256;

/** What was counted of a log, to which the next lines can be added. Times are milliseconds since 1970. */
export type CountedLines = {
  times: number[];
  errorTimes: number[];
  lastError: PulseError | undefined;
  untimedCount: number;
  /** That of the last line. */
  atMs: number | undefined;
  /** What the next line of each source may continue. */
  readonly follows: Map<string | number, Follow>;
};

export const nothingCounted = (): CountedLines => ({
  times: [],
  errorTimes: [],
  lastError: undefined,
  untimedCount: 0,
  atMs: undefined,
  follows: new Map(),
});

/**
 * Adds lines to what was counted. Lines of a trace are part of their error, as everywhere; who wrote a line decides
 * what it continues, where the service says so. Lines before `firstIndex` are left out.
 */
export function* countLines(
  counted: CountedLines,
  lines: Texts,
  numbering: RunsOfSources | undefined,
  firstIndex = 0,
): Work<void> {
  const {times, errorTimes, follows} = counted;
  let [run, leftInRun] = [-1, 0];
  let source: string | number = 0;
  let index = -1;
  for (const raw of lines) {
    index += 1;
    while (leftInRun === 0 && numbering !== undefined && run + 1 < numbering.runs.length) {
      run += 1;
      const [place, count] = numbering.runs[run] ?? [0, 0];
      const name = numbering.sources?.[place];
      source = name === undefined ? place : sourceKey(name);
      leftInRun = count;
    }
    leftInRun -= 1;
    if (index < firstIndex) {
      continue;
    }
    const line = readLine(raw);
    // Without a time of its own a line has that of the line before.
    counted.atMs = line === undefined ? counted.atMs : instantToMs(line.at);
    const {atMs} = counted;
    const text = line === undefined ? raw : raw.slice(line.textIndex);
    const {follow, isError} = readError(follows.get(source) ?? followNothing, text);
    follows.set(source, follow);
    if (atMs === undefined) {
      counted.untimedCount += 1;
    } else {
      times.push(atMs);
      if (isError) {
        errorTimes.push(atMs);
        const isOlder = atMs < (counted.lastError?.atMs ?? atMs);
        counted.lastError = isOlder ? counted.lastError : {atMs, text: text.slice(0, errorCharsMax)};
      }
    }
    if (index % linesPerPause === linesPerPause - 1) {
      yield;
    }
  }
}

/**
 * Counts the lines and errors of a window. `toMs`: the service's clock at the answer, milliseconds since 1970; without
 * it the window ends with its newest line.
 */
export function* countWindow(
  lines: Texts,
  numbering: RunsOfSources | undefined,
  toMs: number | undefined,
): Work<Pulse> {
  const counted = nothingCounted();
  yield* countLines(counted, lines, numbering);
  return pulseOfTimes({...counted, toMs});
}
