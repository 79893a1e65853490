import type {Colour, StyleSpan, TextStyle} from '../../log/text/style-spans.ts';

/**
 * ECMA-48 8.3.117: codes 30 to 37 and 90 to 97 for the first sixteen colours, which every terminal supports; otherwise
 * the forms with 38.
 */
const colourParameters = (colour: Colour, base: 30 | 40): string => {
  if (colour.kind === 'rgb') {
    return `${base + 8};2;${colour.red};${colour.green};${colour.blue}`;
  }
  const {index} = colour;
  return index < 8 ? `${base + index}` : index < 16 ? `${base + 52 + index}` : `${base + 8};5;${index}`;
};

const styleParameters = (style: TextStyle): string =>
  [
    style.bold && '1',
    style.dim && '2',
    style.italic && '3',
    style.underline && '4',
    style.inverse && '7',
    style.strike && '9',
    style.foreground && colourParameters(style.foreground, 30),
    style.background && colourParameters(style.background, 40),
  ]
    .filter(Boolean)
    .join(';');

/**
 * Renders text with its styles as our own SGR sequences; every styled piece ends with a reset. Spans must be in order
 * and must not overlap.
 */
export const formatStyledText = (text: string, spans: readonly StyleSpan[]): string => {
  let shown = '';
  let index = 0;
  for (const {start, end, style} of spans) {
    const parameters = styleParameters(style);
    const piece = text.slice(start, end);
    shown += text.slice(index, start) + (parameters === '' ? piece : `\x1b[${parameters}m${piece}\x1b[0m`);
    index = end;
  }
  return shown + text.slice(index);
};
