import type {Tone} from '../../app/rows/tones.ts';
import {levelOf} from '../../log/level/level.ts';
import type {Level} from '../../log/level/level-words.ts';
import type {LineEntry} from '../../log/line/entry.ts';
import {sanitise, sanitiseStyled} from '../../log/text/sanitise.ts';
import {hasBackground, paint, paintWord} from '../../ui/paint-row.ts';
import type {Theme} from '../../ui/theme/theme.ts';
import {formatStyledText} from './styled-text.ts';

/**
 * Formats a line for `--format text`, without its newline. The result is safe for a terminal, whoever wrote the line.
 */
export type FormatTextLine = (line: LineEntry) => string;

/** Errors get the strongest colours. A line without a level is left as it is. */
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
 * Creates the line formatter. `own` colours lines by their level and fields, `keep` converts colours within the line to
 * style; both dim the timestamp. Without a theme there are no colours.
 */
export const createLineFormatter = (colour: 'own' | 'keep', theme: Theme | undefined): FormatTextLine => {
  if (theme === undefined) {
    return line => sanitise(line.raw);
  }
  // A readable timestamp is plain ASCII, so sanitising the line does not change its length.
  const paintTime = (safe: string, {textIndex}: LineEntry): string => paint(safe.slice(0, textIndex), theme('dim'));
  switch (colour) {
    case 'own':
      return line => {
        const safe = sanitise(line.raw);
        const text = safe.slice(line.textIndex);
        const parameters = tonesByLevel[levelOf(text)].map(theme).filter(Boolean).join(';');
        // A whole line on a background would be too much: there the time tells the level.
        return hasBackground(parameters)
          ? paintWord(safe.slice(0, line.textIndex), parameters) + paint(text, theme('strong'))
          : paintTime(safe, line) + paint(text, parameters);
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
