import {missedWord} from '../measure.ts';

/** A peer's name: its command. */
export type PeerName = 'less' | 'lnav';

/** A row of the table: a measured value, its limit and its target; lower is better. */
export type Figure = {
  readonly what: string;
  readonly unit: 'B' | 'B/min' | 'B/s' | 'ms' | '%' | '×' | 'MB';
  readonly value: number;
  readonly must?: number;
  readonly aim?: number;
  /** The same for other programs that support it and are installed. */
  readonly peers?: Readonly<Partial<Record<PeerName, number>>>;
};

const digitsOf: Readonly<Record<Figure['unit'], number>> = {
  B: 0,
  'B/min': 0,
  'B/s': 0,
  ms: 1,
  '%': 1,
  '×': 2,
  MB: 0,
};

/** Returns whether a figure meets its limit and its target; undefined if it has none. */
const verdictOf = ({value, must, aim}: Figure): string | undefined => {
  if (must === undefined) {
    return undefined;
  }
  if (!(value <= must)) {
    return missedWord;
  }
  return aim !== undefined && value <= aim ? 'aim reached' : 'must reached';
};

export const isMissed = (figure: Figure): boolean => verdictOf(figure) === missedWord;

const formatRow = (figure: Figure): readonly string[] => {
  const {what, unit, value, must, aim, peers} = figure;
  const measured = (measuredValue: number | undefined): string =>
    measuredValue === undefined ? '' : `${measuredValue.toFixed(digitsOf[unit])} ${unit}`;
  const bound = (limit: number | undefined): string => (limit === undefined ? '' : `${limit} ${unit}`);
  return [
    what,
    measured(value),
    bound(must),
    bound(aim),
    measured(peers?.less),
    measured(peers?.lnav),
    verdictOf(figure) ?? '',
  ];
};

const heads: readonly string[] = ['what', 'measured', 'must ≤', 'aim ≤', 'less', 'lnav', ''];

/** Formats the figures as a table. */
export const formatTable = (figures: readonly Figure[]): string => {
  const rows = [heads, ...figures.map(formatRow)];
  const widths = heads.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string => {
    const isText = column === 0 || column === heads.length - 1;
    return isText ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  };
  return rows.map(row => row.map(pad).join('  ').trimEnd()).join('\n');
};

/** Formats the figures for a program. */
export const formatJson = (figures: readonly Figure[]): string =>
  JSON.stringify(
    figures.map(figure => ({...figure, verdict: verdictOf(figure)})),
    undefined,
    2,
  );
