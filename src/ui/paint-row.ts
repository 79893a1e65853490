import type {Span, Tone, ViewRow} from '#app/rows/view-row.ts';
import type {Theme} from './theme.ts';

/** Wraps a text in SGR parameters; without any, returns it unchanged. */
export const paint = (text: string, parameters: string): string =>
  parameters === '' || text === '' ? text : `\u001b[${parameters}m${text}\u001b[0m`;

/** Addresses that may be linked: no blanks or control characters, nothing that ends the sequence early. */
const linkable = /^https:\/\/[!-~]{1,1992}$/;

/** Checks whether SGR parameters set a background. */
export const hasBackground = (parameters: string): boolean => /(?:^|;)(?:4[0-8]|10[0-7])/.test(parameters);

/** A word keeps its background to itself: the blanks that pad it have the ground of the row. */
export const paintWord = (text: string, parameters: string, ground = ''): string => {
  const word = text.trim();
  const start = text.indexOf(word);
  const [before, after] = [text.slice(0, start), text.slice(start + word.length)];
  return `${paint(before, ground)}${paint(word, parameters)}${paint(after, ground)}`;
};

/** Tones of words, in contrast to those that mark a place or a row, blanks included. */
const isWordTone = (tone: Tone): boolean => tone === 'bad' || tone.startsWith('branch');

const reversed = '7';

/** Returns the SGR parameters of a tone in a highlighted row. */
const litLook = (own: string, ground: string): string => {
  if (ground !== reversed) {
    return own === '' ? ground : `${ground};${own}`;
  }
  // Reversed, a colour would become the ground of text that may not be readable on it; bold and underlining stay.
  const marks = own.split(';').filter(parameter => parameter === '1' || parameter === '4');
  return hasBackground(own) ? own : [reversed, ...marks].join(';');
};

/** Paints a text in a tone. */
export const paintTone = (text: string, tone: Tone, theme: Theme, isLit = false): string => {
  const own = theme(tone);
  const ground = isLit ? theme('lit') : '';
  const parameters = isLit ? litLook(own, ground) : own;
  return isWordTone(tone) && hasBackground(own) ? paintWord(text, parameters, ground) : paint(text, parameters);
};

const paintSpan = ({text, tone, link, isLit}: Span, theme: Theme): string => {
  if (text === '') {
    return '';
  }
  const painted = paintTone(text, tone, theme, isLit);
  return link !== undefined && linkable.test(link) ? `\u001b]8;;${link}\u001b\\${painted}\u001b]8;;\u001b\\` : painted;
};

/**
 * Renders a row as text with SGR, and OSC 8 for links. Ink gets one string per row: nested elements would take it
 * twice the time.
 */
export const paintRow = (row: ViewRow, theme: Theme): string => row.map(part => paintSpan(part, theme)).join('');
