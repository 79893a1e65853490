import {linesPerPause, type Work} from '../work/work.ts';

/**
 * Counts the lines at the end of the previous window that repeat at the front of this one: the longest such run, found
 * in time linear in both (Knuth, Morris and Pratt, 1977), so that a thousand equal lines cost no more than a thousand
 * different ones.
 */
export function* findOverlap(before: readonly string[], now: readonly string[]): Work<number> {
  if (before.length === 0 || now.length === 0) {
    return 0;
  }
  // A run can't be longer than either window, so only the last lines of the previous window matter.
  const start = Math.max(0, before.length - now.length);
  const fallback = yield* fallbackLengths(now);
  let matched = 0;
  for (let index = start; index < before.length; index++) {
    const line = before[index];
    while (matched > 0 && (matched === now.length || now[matched] !== line)) {
      matched = fallback[matched - 1] ?? 0;
    }
    if (now[matched] === line) {
      matched += 1;
    }
    if (index % linesPerPause === 0) {
      yield;
    }
  }
  return matched;
}

/** Returns, for each prefix of the lines, the length of its longest proper prefix that is also its suffix. */
function* fallbackLengths(lines: readonly string[]): Work<Uint32Array> {
  const lengths = new Uint32Array(lines.length);
  let matched = 0;
  for (let index = 1; index < lines.length; index++) {
    while (matched > 0 && lines[index] !== lines[matched]) {
      matched = lengths[matched - 1] ?? 0;
    }
    if (lines[index] === lines[matched]) {
      matched += 1;
    }
    lengths[index] = matched;
    if (index % linesPerPause === 0) {
      yield;
    }
  }
  return lengths;
}
