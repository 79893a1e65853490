/**
 * Runs inside the bundle: measures text without Unicode's tables, which take longer to load than a screen takes to
 * draw.
 */

// Printable ASCII; Latin letters without the soft hyphen; punctuation; arrows and technical symbols before the first
// wide one; pictures of controls; lines, blocks and shapes before the first wide one; the cross before what has failed;
// the replacement character.
const plainUnits =
  ' -~\\u00a1-\\u00ac\\u00ae-\\u02ff\\u2010-\\u2027\\u2030-\\u205e\\u2190-\\u2319\\u2400-\\u2426\\u2500-\\u25fc\\u2717\\ufffd';

const notPlain = new RegExp(`[^${plainUnits}]`);
const notPlainNorControl = new RegExp(`[^${plainUnits}\\t\\n\\u001b]`);
const sgr = /\u001b\[[\d;]*m/g;

/**
 * Returns the columns of a text in which every character fills one column and joins no neighbour; SGR sequences count
 * as none. Returns undefined for other texts.
 */
export const plainColumns = (text: string): number | undefined => {
  const bare = text.includes('\u001b') ? text.replaceAll(sgr, '') : text;
  return notPlain.test(bare) ? undefined : bare.length;
};

/** Returns true if each code unit of the text is certain to be its own grapheme cluster (UAX #29). */
export const isUnitByUnit = (text: string): boolean => !notPlainNorControl.test(text);
