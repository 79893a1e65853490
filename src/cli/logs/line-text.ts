import {format} from 'date-fns/format';
import type {Tone} from '#app/rows/view-row.ts';
import type {LogsOptions} from '#cli/arguments/logs-options.ts';
import type {timestampForms} from '#cli/arguments/shared-flags.ts';
import {splitLine} from '#cli/io/format.ts';
import type {Io} from '#cli/io/io.ts';
import type {UiSettings} from '#config/settings/sections.ts';
import type {Entry, LineEntry} from '#log/line/entry.ts';
import {formatInstant, instantToMs} from '#log/line/instant.ts';
import {levelOf} from '#log/reading/level.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {sanitiseStyled, sanitiseWhole} from '#log/text/sanitise.ts';
import type {Colour, StyleSpan, TextStyle} from '#log/text/style-spans.ts';
import type {Level} from '#log/tokens/level-words.ts';
import {isPiece} from '#log/window/pieces.ts';
import {detectCapabilities} from '#terminal/screen/capabilities.ts';
import {readColourVariable} from '#terminal/screen/passthrough.ts';
import {hasBackground, paint, paintWord} from '#ui/paint-screen.ts';
import {chooseTheme, type Theme} from '#ui/theme.ts';
import type {Alike} from './line-budget.ts';

/**
 * Returns the theme for standard output; undefined without colours, which means no terminal that supports them, or
 * NO_COLOR. FORCE_COLOR overrides both. Does not query the terminal.
 */
export const printTheme = (
  {stdout, env}: Pick<Io, 'stdout' | 'env'>,
  name: UiSettings['theme'] = 'auto',
): Theme | undefined => {
  const {colours} = detectCapabilities({env, stdoutIsTerminal: stdout.isTTY === true});
  return colours === 0 ? undefined : chooseTheme({name, colours, backdrop: readColourVariable(env)});
};

/** Facts about a printed entry besides its text. */
type EntryContext = {
  /** The branch's name if several are printed. */
  readonly branch?: string | undefined;
  /** The line is near one that was asked for. */
  readonly isContext?: boolean;
  /** The service cuts long lines into pieces. */
  readonly mayBePart?: boolean;
  /** Lines say no times of their own: theirs are those of their arrival. */
  readonly isArrival?: boolean;
  /** Characters of the whole line, of which only the beginning is printed. */
  readonly cut?: number | undefined;
} & Partial<Alike>;

/** Of a line that is longer, limits leave the beginning, in characters: others need the room, too. */
const limitedCharsMax = 1_000;

/** Returns an entry as limits leave it; `cut`: the characters of a line that was longer. */
export const cutForLimits = (entry: Entry): {readonly entry: Entry; readonly cut?: number} =>
  entry.kind === 'line' && entry.raw.length > limitedCharsMax
    ? {entry: {...entry, raw: `${entry.raw.slice(0, limitedCharsMax - 1)}…`}, cut: entry.raw.length}
    : {entry};

/** Returns the NDJSON record of an entry, without its newline; undefined for kinds without one. */
export const formatEntryJson = (
  entry: Entry,
  {branch, isContext = false, mayBePart = false, isArrival = false, cut, like, until}: EntryContext = {},
): string | undefined => {
  const {kind} = entry;
  const head = branch === undefined ? {kind} : {kind, branch};
  switch (entry.kind) {
    case 'line': {
      const {timestamp, text} = splitLine(entry.raw);
      return stringifySafe({
        ...head,
        timestamp,
        text,
        ...sourceOf(entry),
        ...(entry.late ? {late: true} : {}),
        ...(entry.grown ? {grown: true} : {}),
        ...(mayBePart && isPiece(text) ? {part: true} : {}),
        ...(isContext ? {context: true} : {}),
        ...(isArrival ? {arrival: true} : {}),
        cut,
        like,
        until,
      });
    }
    case 'gap':
      return stringifySafe({
        ...head,
        after: formatInstant(entry.after),
        before: formatInstant(entry.before),
        reason: entry.reason,
        proof: entry.proof,
        newLines: entry.newLines,
        ...sourceOf(entry),
        missing: entry.missingLines,
        why: entry.why,
        ...(entry.grows ? {grows: true} : {}),
      });
    case 'pod':
      return stringifySafe({
        ...head,
        change: entry.change,
        name: entry.name,
        ending: entry.change === 'gone' ? entry.ending : undefined,
      });
    case 'quiet':
      return stringifySafe({...head, after: formatInstant(entry.since), before: formatInstant(entry.at)});
    case 'change':
    case 'horizon':
      return undefined;
    default:
      return entry satisfies never;
  }
};

const sourceOf = ({source}: Pick<LineEntry, 'source'>) =>
  source && {pod: source.pod, container: source.container, stream: source.stream};

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
    return line => sanitiseWhole(`${timeOf(line)}${line.late ? lateWord : ''}${line.raw.slice(line.textIndex)}`);
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
      const {text, spans} = sanitiseStyled(raw, Number.POSITIVE_INFINITY);
      return paintTime(line) + paintLate(line) + formatStyledText(text, spans);
    }
    const text = sanitiseWhole(raw);
    const style = tonesByLevel[levelOf(text)].map(theme).filter(Boolean).join(';');
    // A whole line on a background would be too much: there the time tells the level.
    return hasBackground(style)
      ? paintWord(timeOf(line), style) + paintLate(line) + paintText(text, theme('strong'))
      : paintTime(line) + paintLate(line) + paintText(text, style);
  };
};

/**
 * Returns what stands before a line's text, with a trailing space: the timestamp as received, or in the form of
 * `--timestamps`, in milliseconds. A line without a readable timestamp has none.
 */
const printTime = (line: LineEntry, form: (typeof timestampForms)[number] | undefined): string => {
  if (form === undefined || line.textIndex === 0) {
    return line.raw.slice(0, line.textIndex);
  }
  const time = new Date(instantToMs(line.at));
  switch (form) {
    case 'utc':
      return `${time.toISOString()} `;
    case 'local':
      return `${format(time, 'yyyy-MM-dd HH:mm:ss.SSSxxx')} `;
    case 'short':
      return `${format(time, 'HH:mm:ss.SSS')} `;
    case 'none':
      return '';
    default:
      return form satisfies never;
  }
};

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
const formatStyledText = (text: string, spans: readonly StyleSpan[]): string => {
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
