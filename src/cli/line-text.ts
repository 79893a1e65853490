import type {LineEntry} from '../log/entry.ts';
import {type Level, levelOf} from '../log/level.ts';
import {sanitise, sanitiseStyled} from '../log/sanitise.ts';
import {formatStyledText} from './styled-text.ts';

/** A line as `--format text` prints it, without its newline: safe for a terminal, whoever wrote the line. */
export type FormatTextLine = (line: LineEntry) => string;

/** SGR parameters. Errors are the one thing that may shout; a line without a level is left as it is. */
const styleByLevel: Readonly<Record<Level, string>> = {
  trace: '2',
  debug: '2',
  info: '',
  warn: '33',
  error: '31',
  fatal: '1;31',
  none: '',
};

const paint = (text: string, style: string): string =>
  style === '' || text === '' ? text : `\x1b[${style}m${text}\x1b[0m`;

export type LineColour = 'none' | 'own' | 'keep';

/** `own` colours by what a line says, `keep` turns the colours within a line into style; the timestamp is dim in both. */
export const createLineFormatter = (colour: LineColour): FormatTextLine => {
  switch (colour) {
    case 'none':
      return line => sanitise(line.raw);
    case 'own':
      return line => {
        // A readable timestamp is plain ASCII, so making the line safe leaves its length as it is.
        const safe = sanitise(line.raw);
        const text = safe.slice(line.textIndex);
        return paint(safe.slice(0, line.textIndex), '2') + paint(text, styleByLevel[levelOf(text)]);
      };
    case 'keep':
      return line => {
        const {text, spans} = sanitiseStyled(line.raw);
        const dim = {start: 0, end: line.textIndex, style: {dim: true}} as const;
        return formatStyledText(text, line.textIndex === 0 ? spans : [dim, ...spans]);
      };
    default:
      return colour satisfies never;
  }
};
