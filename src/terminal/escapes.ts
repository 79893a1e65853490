/**
 * The control sequences that this program sends, by name. Names and numbers are those of ECMA-48 (CUP, EL, SGR …),
 * of the DEC VT100 (DECSTBM, DECAWM) and of xterm's private modes (1049, 2004); 2026 is the synchronised output
 * of contour, kitty and others, which terminals that do not know it ignore.
 */
const csi = '\u001b[';

export const resetStyle = `${csi}0m`;
export const eraseToRowEnd = `${csi}K`;
export const eraseScreen = `${csi}2J`;
export const resetScrollRegion = `${csi}r`;
export const beginSynchronised = `${csi}?2026h`;
export const endSynchronised = `${csi}?2026l`;
export const pasteBracketsOn = `${csi}?2004h`;
export const pasteBracketsOff = `${csi}?2004l`;

/** Moves the cursor; rows and columns count from 0 here and from 1 on the wire. */
export const moveTo = (rowIndex: number, columnIndex: number): string =>
  columnIndex === 0 ? `${csi}${rowIndex + 1}H` : `${csi}${rowIndex + 1};${columnIndex + 1}H`;

/** Moves the cursor within its row. */
export const moveToColumn = (columnIndex: number): string => `${csi}${columnIndex + 1}G`;

/** Switches to a style, given as the parameters of SGR; the empty text is the terminal's own look. */
export const setStyle = (style: string): string => (style === '' ? resetStyle : `${csi}0;${style}m`);

/**
 * Moves the rows from `topIndex` to `bottomIndex` up (`byRows` > 0) or down; the rows that come free are blank.
 *
 * Rows are deleted or inserted at the top of a scroll region. SU and SD would say the same, but the Linux console does not know them.
 */
export const scrollRows = (topIndex: number, bottomIndex: number, byRows: number): string =>
  `${csi}${topIndex + 1};${bottomIndex + 1}r${moveTo(topIndex, 0)}${csi}${Math.abs(byRows)}${byRows > 0 ? 'M' : 'L'}${resetScrollRegion}`;

/**
 * Takes the terminal over: the alternate screen, no cursor, and no wrapping at the right edge, so that a row whose
 * width the terminal sees otherwise than we do spoils itself and not the rows below.
 */
export const enterScreen = `${csi}?1049h${csi}?25l${csi}?7l${pasteBracketsOff}${resetScrollRegion}${resetStyle}${eraseScreen}${csi}H`;

/** Gives the terminal back as it was: every mode that `enterScreen` or a frame may have changed, the alternate screen last. */
export const leaveScreen = `${endSynchronised}${resetStyle}${resetScrollRegion}${pasteBracketsOff}${csi}?7h${csi}?25h${csi}?1049l${csi}?25h`;
