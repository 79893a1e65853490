/** A parsed escape sequence. */
export type EscapeSequence =
  /** A complete SGR (CSI … m): colour and weight of what follows; `parameters` is the text between CSI and `m`. */
  | {readonly kind: 'sgr'; readonly end: number; readonly parameters: string}
  /** A complete sequence of any other kind; `end` is the index after it. */
  | {readonly kind: 'other'; readonly end: number}
  /**
   * The text ends or something interrupts the sequence before it is complete; `end` is the index after the introducer.
   */
  | {readonly kind: 'unterminated'; readonly end: number};

const esc = 0x1b;
const bel = 0x07;
const can = 0x18;
const sub = 0x1a;

/**
 * Returns the index after the string's terminator, or -1 if another sequence, CAN, SUB or the text's end comes first.
 */
const findStringEnd = (text: string, start: number, isOsc: boolean): number => {
  for (let i = start; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === esc) {
      return text.charCodeAt(i + 1) === 0x5c ? i + 2 : -1;
    }
    if (code >= 0x80 && code <= 0x9f) {
      return code === 0x9c ? i + 1 : -1;
    }
    if (code === bel && isOsc) {
      return i + 1;
    }
    if (code === can || code === sub) {
      return -1;
    }
  }
  return -1;
};

const readString = (text: string, start: number, isOsc: boolean): EscapeSequence => {
  const end = findStringEnd(text, start, isOsc);
  return end === -1 ? {kind: 'unterminated', end: start} : {kind: 'other', end};
};

/** ECMA-48 5.4: parameter and intermediate bytes (0x20 to 0x3f), then a final byte (0x40 to 0x7e). */
const readCsi = (text: string, start: number): EscapeSequence => {
  let isSgr = true;
  for (let i = start; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= 0x40 && code <= 0x7e) {
      return isSgr && code === 0x6d
        ? {kind: 'sgr', end: i + 1, parameters: text.slice(start, i)}
        : {kind: 'other', end: i + 1};
    }
    if (code < 0x20 || code > 0x3f) {
      break;
    }
    // Digits, colon and semicolon only: with a private prefix or an intermediate byte, `m` is no SGR.
    isSgr &&= code >= 0x30 && code <= 0x3b;
  }
  return {kind: 'unterminated', end: start};
};

/** The strings of ECMA-48 5.6 by the last five bits of their introducer: DCS, SOS, OSC, PM, APC. */
const readIntroduced = (text: string, start: number, introducer: number): EscapeSequence => {
  switch (introducer) {
    case 0x5b:
      return readCsi(text, start);
    case 0x5d:
      return readString(text, start, true);
    case 0x50:
    case 0x58:
    case 0x5e:
    case 0x5f:
      return readString(text, start, false);
    default:
      return {kind: 'other', end: start};
  }
};

/**
 * Checks whether a code unit can begin a sequence: ESC, or an 8-bit introducer or terminator (DCS SOS CSI ST OSC PM
 * APC).
 */
export const isIntroducer = (code: number): boolean =>
  code === esc || code === 0x90 || code === 0x98 || (code >= 0x9b && code <= 0x9f);

/**
 * Reads the sequence whose introducer is at `start`, by ECMA-48 (7-bit and 8-bit forms) and, for ESC with intermediate
 * bytes, ECMA-35. Only OSC also ends with BEL, as in xterm.
 *
 * Looks no further than the next control that would interrupt the sequence, and an unterminated part holds no
 * introducer: so a caller that continues at `end` reads no code unit more than twice.
 */
export const readEscapeSequence = (text: string, start: number): EscapeSequence => {
  const code = text.charCodeAt(start);
  if (code !== esc) {
    return readIntroduced(text, start + 1, code - 0x40);
  }
  let i = start + 1;
  const next = text.charCodeAt(i);
  if (next >= 0x40 && next <= 0x5f) {
    return readIntroduced(text, i + 1, next);
  }
  while (i < text.length && text.charCodeAt(i) >= 0x20 && text.charCodeAt(i) <= 0x2f) {
    i += 1;
  }
  const final = text.charCodeAt(i);
  return final >= 0x30 && final <= 0x7e ? {kind: 'other', end: i + 1} : {kind: 'unterminated', end: start + 1};
};
