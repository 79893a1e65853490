export type ScreenSize = {readonly columns: number; readonly rows: number};

/** Past this a terminal is no terminal but a mistake or an attack (5000×5000 was seen); a layout of that size would stall the program. */
export const screenSizeMax: ScreenSize = {columns: 500, rows: 200};

/** What a terminal that does not tell its size is taken for, as everywhere since the VT100. */
const screenSizeUnknown: ScreenSize = {columns: 80, rows: 24};

const clamp = (value: number | undefined, unknown: number, max: number): number =>
  value === undefined || !Number.isInteger(value) || value < 1 ? unknown : Math.min(value, max);

/** The size to draw for, from the size that a terminal tells; 0×0, as serial consoles and containers do, counts as not told. */
export const clampScreenSize = (told: {columns?: number | undefined; rows?: number | undefined}): ScreenSize => ({
  columns: clamp(told.columns, screenSizeUnknown.columns, screenSizeMax.columns),
  rows: clamp(told.rows, screenSizeUnknown.rows, screenSizeMax.rows),
});
