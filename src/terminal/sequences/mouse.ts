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
