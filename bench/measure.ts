export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns the milliseconds that a piece of work takes. */
export const timeMs = (work: () => unknown): number => {
  const startMs = performance.now();
  work();
  return performance.now() - startMs;
};

/** A measured value, its limit and its target; lower is better. */
export type Figure = {
  readonly what: string;
  readonly value: number;
  readonly unit: '×' | 'MB' | 'ms';
  readonly must: number;
  readonly aim?: number;
};

/** Marks a row of figures, so that a caller of several benchmarks can collect them from their output. */
const mark = '▸ ';

export const printFigure = (figure: Figure): void => {
  console.log(`${mark}${formatFigure(figure)}`);
};

/** Returns the row in a printed line, or undefined if there is none. */
export const readFigure = (printed: string): string | undefined =>
  printed.startsWith(mark) ? printed.slice(mark.length) : undefined;

/** The end of a row that misses its limit. */
export const missedWord = 'MISSED';

const formatFigure = ({what, value, unit, must, aim}: Figure): string => {
  const digits = unit === '×' ? 2 : 0;
  const bound = (limit: number | undefined): string => (limit === undefined ? '' : `≤ ${limit} ${unit}`);
  const reached = aim !== undefined && value <= aim ? 'aim' : 'must';
  return [
    what.padEnd(66),
    `${value.toFixed(digits)} ${unit}`.padStart(8),
    `must ${bound(must)}`.padEnd(15),
    (aim === undefined ? '' : `aim ${bound(aim)}`).padEnd(14),
    value > must ? missedWord : `${reached} reached`,
  ].join('  ');
};
