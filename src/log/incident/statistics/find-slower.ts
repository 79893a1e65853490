/** From when on requests took longer, and how long before and since, in milliseconds. */
export type Slowing = {
  /** Index of the first slow one. */
  readonly start: number;
  readonly before: {readonly p50: number; readonly p95: number};
  readonly now: {readonly p50: number; readonly p95: number};
  /** How many standard errors the means differ by, of logarithms. */
  readonly evidence: number;
};

/** Fewer requests on either side tell nothing. */
const beforeMin = 12;
const sinceMin = 6;
/** Of slowings smaller than these nobody is woken. */
const p95TimesMin = 1.5;
const msMin = 20;
const evidenceMin = 5;
/** Requests that always take exactly as long differ by so much at least, as a logarithm. */
const deviationMin = 0.1;

/** Finds since when requests in order of time take longer, until now: where the means of logarithms differ most. */
export const findSlowing = (durationsMs: readonly number[]): Slowing | undefined => {
  const logs = durationsMs.map(ms => Math.log(Math.max(ms, 0.1)));
  const sums = [0];
  const squares = [0];
  for (const [index, each] of logs.entries()) {
    sums.push((sums[index] ?? 0) + each);
    squares.push((squares[index] ?? 0) + each * each);
  }
  const all = logs.length;
  const [total, totalSquares] = [sums[all] ?? 0, squares[all] ?? 0];
  let start = 0;
  let evidence = evidenceMin;
  for (let index = beforeMin; index <= all - sinceMin; index++) {
    const [left, right] = [index, all - index];
    const [sum, square] = [sums[index] ?? 0, squares[index] ?? 0];
    const difference = (total - sum) / right - sum / left;
    const within = square - (sum * sum) / left + (totalSquares - square) - (total - sum) ** 2 / right;
    const deviation = Math.max(deviationMin, Math.sqrt(Math.max(0, within) / all));
    const score = difference / (deviation * Math.sqrt(1 / left + 1 / right));
    if (score > evidence) {
      evidence = score;
      start = index;
    }
  }
  if (start === 0) {
    return undefined;
  }
  const before = percentilesOf(durationsMs.slice(0, start));
  const now = percentilesOf(durationsMs.slice(start));
  const isSlower = now.p95 >= p95TimesMin * before.p95 && now.p95 - before.p95 >= msMin;
  return isSlower ? {start, before, now, evidence} : undefined;
};

const percentilesOf = (durationsMs: readonly number[]): Slowing['now'] => {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return {p50: at(0.5), p95: at(0.95)};
};
