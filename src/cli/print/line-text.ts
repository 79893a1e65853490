import type {Tone} from '../../app/rows/tones.ts';
import type {LineEntry} from '../../log/line/entry.ts';
import {levelOf} from '../../log/reading/level.ts';
import type {Level} from '../../log/reading/tokens/level-words.ts';
import {sanitise, sanitiseStyled} from '../../log/text/sanitise.ts';
import {hasBackground, paint, paintWord} from '../../ui/paint-row.ts';
import type {Theme} from '../../ui/theme/theme.ts';
import type {LogsOptions} from '../arguments/logs-options.ts';
import {printTime} from './print-time.ts';
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

export type LineTextOptions = {
  /** `own` colours lines by their level and fields, `keep` converts colours within the line to style. */
  readonly colour: 'own' | 'keep';
  /** Without a theme there are no colours. */
  readonly theme: Theme | undefined;
} & Partial<Pick<LogsOptions, 'timestamps' | 'highlights'>>;

/** Before the text of a line that came late. */
const lateWord = 'late ';

/** Creates the line formatter. Timestamps are dim; a line that came after newer ones says so. */
export const createLineFormatter = ({colour, theme, timestamps, highlights = []}: LineTextOptions): FormatTextLine => {
  const timeOf = (line: LineEntry): string => printTime(line, timestamps);
  if (theme === undefined) {
    return line => sanitise(`${timeOf(line)}${line.late ? lateWord : ''}${line.raw.slice(line.textIndex)}`);
  }
  // A time is plain ASCII, so it is safe already.
  const paintTime = (line: LineEntry): string => paint(timeOf(line), theme('dim'));
  const paintLate = (line: LineEntry): string => (line.late ? paint(lateWord, theme('busy')) : '');
  const paintText = (text: string, style: string): string => {
    let painted = '';
    let index = 0;
    const hits = highlights.flatMap(pattern => pattern.spans(text)).sort(([a], [b]) => a - b);
    for (const [start, end] of hits) {
      if (start >= index) {
        painted += paint(text.slice(index, start), style) + paint(text.slice(start, end), theme('hit'));
        index = end;
      }
    }
    return painted + paint(text.slice(index), style);
  };
  return line => {
    const raw = line.raw.slice(line.textIndex);
    if (colour === 'keep' && highlights.length === 0) {
      const {text, spans} = sanitiseStyled(raw);
      return paintTime(line) + paintLate(line) + formatStyledText(text, spans);
    }
    const text = sanitise(raw);
    const style = tonesByLevel[levelOf(text)].map(theme).filter(Boolean).join(';');
    // A whole line on a background would be too much: there the time tells the level.
    return hasBackground(style)
      ? paintWord(timeOf(line), style) + paintLate(line) + paintText(text, theme('strong'))
      : paintTime(line) + paintLate(line) + paintText(text, style);
  };
};
