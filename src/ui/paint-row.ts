import type {Span, ViewRow} from '../app/rows/view-row.ts';
import type {Theme} from './theme/theme.ts';

/** Wraps a text in SGR parameters; without any, returns it unchanged. */
export const paint = (text: string, parameters: string): string =>
  parameters === '' || text === '' ? text : `\u001b[${parameters}m${text}\u001b[0m`;

/** Addresses that may be linked: no blanks or control characters, nothing that ends the sequence early. */
const linkable = /^https:\/\/[!-~]{1,1992}$/;

const paintSpan = ({text, tone, link}: Span, theme: Theme): string => {
  if (text === '') {
    return '';
  }
  const painted = paint(text, theme(tone));
  return link !== undefined && linkable.test(link) ? `\u001b]8;;${link}\u001b\\${painted}\u001b]8;;\u001b\\` : painted;
};

/**
 * Renders a row as text with SGR, and OSC 8 for links. Ink gets one string per row: nested elements would take it
 * twice the time.
 */
export const paintRow = (row: ViewRow, theme: Theme): string => row.map(part => paintSpan(part, theme)).join('');
