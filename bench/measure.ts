export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Milliseconds that a piece of work takes. */
export const timeMs = (work: () => unknown): number => {
  const startMs = performance.now();
  work();
  return performance.now() - startMs;
};

/** What was measured, what it must reach and what it aims at; less is better. */
export type Figure = {
  readonly what: string;
  readonly value: number;
  readonly unit: '×' | 'MB' | 'ms';
  readonly must: number;
  readonly aim?: number;
};

/** Begins a row of figures, so that whoever runs several benchmarks can gather them from what they print. */
const mark = '▸ ';

export const printFigure = (figure: Figure): void => {
  console.log(`${mark}${formatFigure(figure)}`);
};

/** The row that a printed line holds; undefined where it is something else. */
export const readFigure = (printed: string): string | undefined =>
  printed.startsWith(mark) ? printed.slice(mark.length) : undefined;

/** How a row ends that did not reach what it must. */
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
