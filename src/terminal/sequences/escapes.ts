import {mouseReportsOff} from './mouse.ts';

/**
 * The control sequences that this program sends, by name. Names and numbers are those of ECMA-48 (CUP, EL, SGR …),
 * of the DEC VT100 (DECSTBM, DECAWM) and of xterm's private modes (1049, 2004); 2026 is the synchronised output
 * of contour, kitty and others, which terminals that do not know it ignore.
 */
const csi = '\u001b[';

export const resetStyle = `${csi}m`;
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

/** Moves the cursor to the right, within its row. */
export const cursorRight = (columns: number): string => (columns === 1 ? `${csi}C` : `${csi}${columns}C`);

/** Switches on a style, given as the parameters of SGR. */
export const setStyle = (style: string): string => `${csi}${style}m`;

/** What scrolls moves only the rows from `topIndex` to `bottomIndex`, both included. Sends the cursor home. */
export const scrollRegion = (topIndex: number, bottomIndex: number): string =>
  `${csi}${topIndex + 1};${bottomIndex + 1}r`;

/** The longest address that is made a link; what VTE takes is a little more. */
const linkLengthMax = 2000;

/** A sequence of `formatLink`, and nothing else; its group is the address. */
export const linkPattern = new RegExp(
  `^\u001b\\]8;;(https://[!-~]{1,${linkLengthMax - 'https://'.length}})?\u001b\\\\$`,
);

/** Makes what follows a link (OSC 8, as VTE and iTerm2 defined it); the empty text ends one. */
export const formatLink = (address: string): string => `\u001b]8;;${address}\u001b\\`;

/**
 * Takes the terminal over: the alternate screen, no cursor, and no wrapping at the right edge, so that a row whose
 * width the terminal sees otherwise than we do spoils itself and not the rows below.
 */
export const enterScreen = `${csi}?1049h${csi}?25l${csi}?7l${pasteBracketsOff}${resetScrollRegion}${resetStyle}${eraseScreen}${csi}H`;

/**
 * Gives the terminal back as it was: every mode that `enterScreen` or a frame may have changed, the alternate screen last. It is
 * cleared before, because a terminal without one would leave the shell's prompt in the middle of the last frame.
 */
export const leaveScreen = `${endSynchronised}${mouseReportsOff}${resetStyle}${resetScrollRegion}${eraseScreen}${csi}H${pasteBracketsOff}${csi}?7h${csi}?25h${csi}?1049l${csi}?25h`;
