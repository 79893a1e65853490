import type {Tone} from '../../app/rows/tones.ts';
import {levelOf} from '../../log/level/level.ts';
import type {Level} from '../../log/level/level-words.ts';
import type {LineEntry} from '../../log/line/entry.ts';
import {sanitise, sanitiseStyled} from '../../log/text/sanitise.ts';
import {paint} from '../../ui/paint-row.ts';
import type {Theme} from '../../ui/theme/theme.ts';
import {formatStyledText} from './styled-text.ts';

/** A line as `--format text` prints it, without its newline: safe for a terminal, whoever wrote the line. */
export type FormatTextLine = (line: LineEntry) => string;

/** Errors are the one thing that may shout; a line without a level is left as it is. */
const tonesByLevel: Readonly<Record<Level, readonly Tone[]>> = {
  trace: ['dim'],
  debug: ['dim'],
  info: [],
  warn: ['warn'],
  error: ['bad'],
  fatal: ['strong', 'bad'],
  none: [],
};

/**
 * `own` colours by what a line says, `keep` turns the colours within a line into style; the timestamp is dim in both.
 * Without a theme there are no colours.
 */
export const createLineFormatter = (colour: 'own' | 'keep', theme: Theme | undefined): FormatTextLine => {
  if (theme === undefined) {
    return line => sanitise(line.raw);
  }
  // A readable timestamp is plain ASCII, so making the line safe leaves its length as it is.
  const paintTime = (safe: string, {textIndex}: LineEntry): string => paint(safe.slice(0, textIndex), theme('dim'));
  switch (colour) {
    case 'own':
      return line => {
        const safe = sanitise(line.raw);
        const text = safe.slice(line.textIndex);
        return paintTime(safe, line) + paint(text, tonesByLevel[levelOf(text)].map(theme).filter(Boolean).join(';'));
      };
    case 'keep':
      return line => {
        const {text, spans} = sanitiseStyled(line.raw);
        return paintTime(text, line) + formatStyledText(text, spans).slice(line.textIndex);
      };
    default:
      return colour satisfies never;
  }
};
