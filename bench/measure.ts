export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Milliseconds that a piece of work takes. */
export const timeMs = (work: () => unknown): number => {
  const startMs = performance.now();
  work();
  return performance.now() - startMs;
};

/** A row of a table: what, how much, what it must reach and what it aims at. */
export const printRow = (what: string, value: string, must: string, aim: string): void => {
  console.log(`${what.padEnd(64)} ${value.padStart(10)}   must ${must}${aim === '' ? '' : `, aim ${aim}`}`);
};
