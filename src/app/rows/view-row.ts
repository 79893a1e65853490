import type {FuzzyMatch} from '#log/fuzzy.ts';

/**
 * SGR parameters (ECMA-48, 8.3.117; ISO 8613-6) of a colour from 16 to 255 of xterm's palette: the same nearly
 * everywhere, and short to send.
 */
const text = (index: number): string => `38;5;${index}`;

const ground = (index: number): string => `48;5;${index}`;

/** Dark text on a background colour of that palette, readable on any terminal background. */
const inkOn = (index: number): string => `${text(234)};${ground(index)}`;

const channelsOf = (hex: string): string =>
  [0, 2, 4].map(index => Number.parseInt(hex.slice(index, index + 2), 16)).join(';');

/** The same for a colour of 24 bits. */
const rgb = (hex: string): string => `38;2;${channelsOf(hex)}`;

const rgbGround = (hex: string): string => `48;2;${channelsOf(hex)}`;

const rgbOn = (hex: string, ink = '000000'): string => `${rgb(ink)};${rgbGround(hex)}`;

/** The SGR parameters of a tone in each theme; empty keeps the terminal's own look. */
type Looks = readonly [string, string, string, string, string, string];

/**
 * What a piece of text can mean, and what it looks like. The themes, from left to right:
 *
 * 1. For an unknown background, of the terminal's sixteen colours. None of them is readable on both black and white, so
 *    a tone has a background of its own, or no colour. Bold text is not black on it: xterm would draw it grey.
 * 2. No colours. NO_COLOR does not ask for no emphasis: bold and faint help the eye.
 * 3. For dark backgrounds, up to #22262e. Plain text keeps the terminal's own colour, and only what is wrong is warm
 *    and bright. Text has a contrast of 4.5 or more (WCAG 2).
 * 4. The same for light backgrounds, down to #eeeeee.
 * 5. High contrast for dark backgrounds, up to #1c1c1c: 7 or more everywhere (WCAG 2, level AAA).
 * 6. The same for light backgrounds, down to #eeeeee.
 */
export const tones = {
  plain: ['', '', '', '', '', ''],
  dim: ['2', '2', text(247), text(241), rgb('c8c8c8'), rgb('3a3a3a')],
  /** Quieter still: a time within a line's text. */
  faint: ['2', '2', text(246), text(242), rgb('b8b8b8'), rgb('444444')],
  strong: ['1', '1', '1', '1', '1', '1'],
  /**
   * The ground of a highlighted row, under the tones of its text. Where the colours are the terminal's own, what is
   * readable on them is unknown, so the row is reversed.
   */
  lit: ['7', '7', ground(237), ground(195), rgbGround('002266'), rgbGround('d7ffff')],
  accent: ['1', '', text(117), text(24), rgb('7fdfff'), rgb('004466')],
  good: ['', '', text(114), text(22), rgb('8cff8c'), rgb('0b4a14')],
  busy: ['1', '1', text(186), text(58), rgb('ffe566'), rgb('533a00')],
  warn: ['1', '1', text(215), text(94), rgb('ffc266'), rgb('663300')],
  bad: ['1;97;41', '1', text(210), text(160), `1;${rgb('ff9d94')}`, `1;${rgb('8a0000')}`],
  /** The part of a line that names the request: a method, a path. */
  field: ['', '', text(153), text(25), rgb('b5d4ff'), rgb('173a75')],
  /** A search hit, and the current one. */
  hit: ['30;43', '1;4', inkOn(222), inkOn(221), rgbOn('ffe566'), rgbOn('ffe566')],
  hitNow: [
    '4;30;103',
    '1;4;7',
    `1;${inkOn(208)}`,
    `1;${inkOn(208)}`,
    `1;4;${rgbOn('ffa640')}`,
    `1;4;${rgbOn('ffa640')}`,
  ],
  /** The user's highlights, one tone per pattern: as many as patterns can be highlighted at a time. */
  highlight1: ['30;46', '4', inkOn(116), inkOn(159), rgbOn('66ffff'), rgbOn('004a4a', 'ffffff')],
  highlight2: ['97;45', '4', inkOn(182), inkOn(219), rgbOn('ffa6ff'), rgbOn('6b0f70', 'ffffff')],
  highlight3: ['30;42', '4', inkOn(150), inkOn(157), rgbOn('a6ff8c'), rgbOn('2c4a08', 'ffffff')],
  highlight4: ['97;44', '4', inkOn(147), inkOn(147), rgbOn('adc2ff'), rgbOn('1f2f96', 'ffffff')],
  highlight5: ['30;47', '4', inkOn(218), inkOn(218), rgbOn('ffb3d1'), rgbOn('7d0f42', 'ffffff')],
  highlight6: ['30;105', '4', inkOn(252), inkOn(252), rgbOn('d9d9d9'), rgbOn('3a3a3a', 'ffffff')],
  /**
   * Tones to tell the branches of one log apart. Of the terminal's own colours, red and yellow are reserved for
   * problems.
   */
  branch1: ['30;46', '', text(116), text(23), rgb('66ffff'), rgb('004a4a')],
  branch2: ['97;45', '', text(182), text(90), rgb('ffa6ff'), rgb('6b0f70')],
  branch3: ['30;42', '', text(150), text(22), rgb('b3ff66'), rgb('2c4a08')],
  branch4: ['97;44', '', text(111), text(20), rgb('adc2ff'), rgb('1f2f96')],
  branch5: ['30;106', '', text(183), text(55), rgb('d6bfff'), rgb('4b1f91')],
  branch6: ['30;105', '', text(218), text(125), rgb('ffb3d1'), rgb('7d0f42')],
  branch7: ['30;102', '', text(144), text(58), rgb('dfff99'), rgb('4b4100')],
  branch8: ['97;104', '', text(115), text(60), rgb('80ffcc'), rgb('00493a')],
} satisfies Readonly<Record<string, Looks>>;

export type Tone = keyof typeof tones;

/** The user's highlights, one tone per pattern: as many as patterns can be highlighted at a time. */
export const highlightTones = [
  'highlight1',
  'highlight2',
  'highlight3',
  'highlight4',
  'highlight5',
  'highlight6',
] as const satisfies readonly Tone[];

/** Tones to tell the branches of one log apart: as many as branches can be opened together. */
export const branchTones = [
  'branch1',
  'branch2',
  'branch3',
  'branch4',
  'branch5',
  'branch6',
  'branch7',
  'branch8',
] as const satisfies readonly Tone[];

export type BranchTone = (typeof branchTones)[number];

/**
 * A piece of a row. Its text is sanitised. `link` is where a click leads in terminals that support it: an https
 * address of printable ASCII, at most 2,000 characters; any other is left out. `isLit`: its row is highlighted.
 */
export type Span = {readonly text: string; readonly tone: Tone; readonly link?: string; readonly isLit?: boolean};

/** A row of the screen, ready to draw. */
export type ViewRow = readonly Span[];

export const span = (text: string, tone: Tone = 'plain'): Span => ({text, tone});

/** Highlights a row across its width. */
export const lightRow = (row: ViewRow): ViewRow => row.map(part => ({...part, isLit: true}));

/**
 * Returns a text with its matched letters emphasised. `text` is the matched text, or the beginning of it followed by
 * more: an ellipsis, blanks. `length` is the length of that beginning in code units.
 */
export const matchSpans = (
  text: string,
  tone: Tone,
  match: FuzzyMatch | undefined,
  length = text.length,
): readonly Span[] => {
  const spans: Span[] = [];
  let from = 0;
  for (const position of match?.positions ?? []) {
    if (position >= length) {
      break;
    }
    const before = spans.at(-1);
    if (position === from && before?.tone === 'hit') {
      spans[spans.length - 1] = span(before.text + text.charAt(position), 'hit');
    } else {
      spans.push(
        ...(position > from ? [span(text.slice(from, position), tone)] : []),
        span(text.charAt(position), 'hit'),
      );
    }
    from = position + 1;
  }
  return from < text.length ? [...spans, span(text.slice(from), tone)] : spans;
};

/** The indicator before the highlighted item; other items get as many blanks. */
export const indicatorColumns = 2;

/** The visible part of a list to choose from. */
export type PickView = {
  readonly items: readonly {readonly key: string; readonly row: ViewRow}[];
  /** The index of the highlighted item in `items`. */
  readonly selectedIndex: number;
  /** Whether the highlighted item takes the keys, and so is highlighted across its width. */
  readonly isLit: boolean;
};

/** The rows of a list: from `from` up to, but not including, `to`; the row `selected` begins with the cursor. */
export type ListRows = {readonly from: number; readonly to: number; readonly selected: number};

/** A pane of rows. `list`: some of them are choices. */
export type RowsPane = {
  readonly kind: 'rows';
  readonly rows: readonly ViewRow[];
  readonly list?: ListRows | undefined;
};

/** A screen ready to draw: rows cut to the width, and a pane in the middle. */
export type ScreenView = {
  readonly header: ViewRow;
  /** The row below the header: the input line, or the strip. */
  readonly second: ViewRow;
  readonly pane:
    | RowsPane
    | {
        readonly kind: 'pick';
        readonly pick: PickView;
        /** Rows to the right of the list, and rows below it. */
        readonly beside: readonly ViewRow[];
        readonly below: readonly ViewRow[];
      };
  readonly paneRows: number;
  readonly state: ViewRow;
  readonly hints: ViewRow;
};
