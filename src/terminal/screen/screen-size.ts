export type ScreenSize = {readonly columns: number; readonly rows: number};

/** A larger size is a mistake or an attack (5000×5000 was seen); a layout of that size would stall the program. */
export const screenSizeMax: ScreenSize = {columns: 500, rows: 200};

/** The size assumed if a terminal does not report one, as usual since the VT100. */
const screenSizeUnknown: ScreenSize = {columns: 80, rows: 24};

const clamp = (value: number | undefined, unknown: number, max: number): number =>
  value === undefined || !Number.isInteger(value) || value < 1 ? unknown : Math.min(value, max);

/**
 * Returns the size to draw for, given the reported size. 0×0, as from serial consoles and containers, counts as not
 * reported.
 */
export const clampScreenSize = (told: {columns?: number | undefined; rows?: number | undefined}): ScreenSize => ({
  columns: clamp(told.columns, screenSizeUnknown.columns, screenSizeMax.columns),
  rows: clamp(told.rows, screenSizeUnknown.rows, screenSizeMax.rows),
});
