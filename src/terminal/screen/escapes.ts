/** A mouse event; positions count from 0. Releases, movements and other buttons are not used and not reported. */
export type MouseReport = {
  readonly kind: 'wheelUp' | 'wheelDown' | 'press';
  readonly columnIndex: number;
  readonly rowIndex: number;
};

/**
 * Requests reports of presses and the wheel (private mode 1000) as text (1006), so that columns past 223 can be
 * reported. While it is on, terminals offer their own selection with Shift and the mouse.
 */
export const mouseReportsOn = '\u001b[?1000h\u001b[?1006h';
export const mouseReportsOff = '\u001b[?1006l\u001b[?1000l';

// xterm's control sequences, "Mouse Tracking": the low bits are the button; 4, 8 and 16 the modifiers; 32 a movement;
// 64 the wheel.
const modifierBits = 4 | 8 | 16;
const leftButton = 0;
const wheelUp = 64;
const wheelDown = 65;

const readButton = (code: number, columnNumber: number, rowNumber: number): MouseReport | undefined => {
  const place = {columnIndex: columnNumber - 1, rowIndex: rowNumber - 1};
  if (place.columnIndex < 0 || place.rowIndex < 0) {
    return undefined;
  }
  switch (code & ~modifierBits) {
    case leftButton:
      return {kind: 'press', ...place};
    case wheelUp:
      return {kind: 'wheelUp', ...place};
    case wheelDown:
      return {kind: 'wheelDown', ...place};
    default:
      return undefined;
  }
};

/** Parses a whole SGR report, `CSI < b ; x ; y M` or `m`. Returns undefined if the event is not used. */
export const parseMouseReport = (sequence: string): MouseReport | undefined => {
  const match = /^\u001b\[<(\d{1,4});(\d{1,5});(\d{1,5})M$/.exec(sequence);
  return match === null ? undefined : readButton(Number(match[1]), Number(match[2]), Number(match[3]));
};

/** Parses the old form, `CSI M` and three bytes, used by terminals that support 1000 but not 1006. */
export const parseOldMouseReport = (sequence: string): MouseReport | undefined => {
  const [code, column, row] = [3, 4, 5].map(index => sequence.charCodeAt(index) - 32);
  return code === undefined || column === undefined || row === undefined ? undefined : readButton(code, column, row);
};

/**
 * The control sequences that this program sends, by name. Names and numbers are those of ECMA-48 (CUP, EL, SGR …), of
 * the DEC VT100 (DECSTBM, DECAWM) and of xterm's private modes (1049, 2004); 2026 is the synchronised output of
 * contour, kitty and others, which other terminals ignore.
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

/** Moves the cursor. Rows and columns count from 0 here and from 1 in the sequence. */
export const moveTo = (rowIndex: number, columnIndex: number): string =>
  columnIndex === 0 ? `${csi}${rowIndex + 1}H` : `${csi}${rowIndex + 1};${columnIndex + 1}H`;

/** Moves the cursor right within its row. */
export const cursorRight = (columns: number): string => (columns === 1 ? `${csi}C` : `${csi}${columns}C`);

/** Sets a style, given as SGR parameters. */
export const setStyle = (style: string): string => `${csi}${style}m`;

/** Limits scrolling to the rows from `topIndex` to `bottomIndex`, both included. Moves the cursor home. */
export const scrollRegion = (topIndex: number, bottomIndex: number): string =>
  `${csi}${topIndex + 1};${bottomIndex + 1}r`;

/** The longest address that becomes a link; VTE's limit is slightly higher. */
const linkLengthMax = 2000;

/** Matches a sequence of `formatLink` and nothing else; its group is the address. */
export const linkPattern = new RegExp(
  `^\u001b\\]8;;(https://[!-~]{1,${linkLengthMax - 'https://'.length}})?\u001b\\\\$`,
);

/** Turns the text that follows into a link (OSC 8, as defined by VTE and iTerm2); an empty address ends the link. */
export const formatLink = (address: string): string => `\u001b]8;;${address}\u001b\\`;

/**
 * Takes over the terminal: the alternate screen, no cursor, and no wrapping at the right edge, so that a row which the
 * terminal measures differently damages only itself and not the rows below.
 */
export const enterScreen = `${csi}?1049h${csi}?25l${csi}?7l${pasteBracketsOff}${resetScrollRegion}${resetStyle}${eraseScreen}${csi}H`;

/**
 * Restores the terminal: resets every mode that `enterScreen` or a frame may have changed, the alternate screen last.
 * Clears it before that, because a terminal without one would leave the shell's prompt in the middle of the last frame.
 */
export const leaveScreen = `${endSynchronised}${mouseReportsOff}${resetStyle}${resetScrollRegion}${eraseScreen}${csi}H${pasteBracketsOff}${csi}?7h${csi}?25h${csi}?1049l${csi}?25h`;
