import type {Tone} from '../app/rows/tones.ts';
import type {Span, ViewRow} from '../app/rows/view-row.ts';
import type {Theme} from './theme/theme.ts';

/** Wraps a text in SGR parameters; without any, returns it unchanged. */
export const paint = (text: string, parameters: string): string =>
  parameters === '' || text === '' ? text : `\u001b[${parameters}m${text}\u001b[0m`;

/** Addresses that may be linked: no blanks or control characters, nothing that ends the sequence early. */
const linkable = /^https:\/\/[!-~]{1,1992}$/;

/** Checks whether SGR parameters set a background. */
export const hasBackground = (parameters: string): boolean => /(?:^|;)(?:4[0-8]|10[0-7])/.test(parameters);

/** A word keeps its background to itself: the blanks that pad it stay plain. */
export const paintWord = (text: string, parameters: string): string => {
  const word = text.trim();
  const start = text.indexOf(word);
  return `${text.slice(0, start)}${paint(word, parameters)}${text.slice(start + word.length)}`;
};

/** Tones of words, in contrast to those that mark a place or a row, blanks included. */
const isWordTone = (tone: Tone): boolean => tone === 'bad' || tone.startsWith('branch');

/** Paints a text in a tone. */
export const paintTone = (text: string, tone: Tone, theme: Theme): string => {
  const parameters = theme(tone);
  return isWordTone(tone) && hasBackground(parameters) ? paintWord(text, parameters) : paint(text, parameters);
};

const paintSpan = ({text, tone, link}: Span, theme: Theme): string => {
  if (text === '') {
    return '';
  }
  const painted = paintTone(text, tone, theme);
  return link !== undefined && linkable.test(link) ? `\u001b]8;;${link}\u001b\\${painted}\u001b]8;;\u001b\\` : painted;
};

/**
 * Renders a row as text with SGR, and OSC 8 for links. Ink gets one string per row: nested elements would take it
 * twice the time.
 */
export const paintRow = (row: ViewRow, theme: Theme): string => row.map(part => paintSpan(part, theme)).join('');
