import {type Tone, tones} from '#app/rows/view-row.ts';

/** Returns the SGR parameters of a tone; empty keeps the terminal's own look. */
export type Theme = (tone: Tone) => string;

export const colourTheme: Theme = tone => tones[tone][0];
export const plainTheme: Theme = tone => tones[tone][1];
export const darkTheme: Theme = tone => tones[tone][2];
export const lightTheme: Theme = tone => tones[tone][3];
export const highContrastDarkTheme: Theme = tone => tones[tone][4];
export const highContrastLightTheme: Theme = tone => tones[tone][5];

type Changes = Partial<Readonly<Record<Tone, string>>>;

/** Red on black is darker than what is around it, so an error is white on red. */
const onBlack: Changes = {
  accent: '36',
  good: '32',
  busy: '33',
  warn: '33',
  field: '36',
  branch1: '36',
  branch2: '95',
  branch3: '32',
  branch4: '96',
  branch5: '92',
  branch6: '4;36',
  branch7: '4;95',
  branch8: '4;32',
};

/** Only four of the sixteen are readable on white. They are not bold: xterm draws bold ones in a lighter shade. */
const onWhite: Changes = {
  accent: '34',
  good: '34',
  busy: '35',
  warn: '35',
  bad: '31',
  field: '34',
  branch1: '34',
  branch2: '35',
  branch3: '94',
  branch4: '4;34',
  branch5: '4;35',
  branch6: '4;94',
  branch7: '1',
  branch8: '1;4',
};

/** The terminal's sixteen colours on a dark and on a light background. */
export const sixteenDarkTheme: Theme = tone => onBlack[tone] ?? colourTheme(tone);
export const sixteenLightTheme: Theme = tone => onWhite[tone] ?? colourTheme(tone);

const of256 = (index: number): string => `38;5;${index}`;

/**
 * The few of the 256 colours that can be read on black and on white alike, with a contrast of 4.2 or more; for the bold
 * red, 3.99. What has a background of its own has it from the dark theme.
 */
const onEither: Changes = {
  plain: '',
  dim: of256(243),
  faint: of256(243),
  strong: '1',
  lit: '7',
  accent: of256(30),
  good: of256(28),
  busy: of256(130),
  warn: `1;${of256(130)}`,
  bad: `1;${of256(196)}`,
  field: of256(63),
  branch1: of256(30),
  branch2: of256(163),
  branch3: of256(64),
  branch4: of256(63),
  branch5: of256(129),
  branch6: `4;${of256(163)}`,
  branch7: `4;${of256(64)}`,
  branch8: `4;${of256(30)}`,
};

/** For an unknown background and at least 256 colours. */
export const eitherTheme: Theme = tone => onEither[tone] ?? darkTheme(tone);

const emphasised: Changes = {dim: '', faint: '', bad: '1;4', warn: '1;4'};

/** For an unknown background or palette: the terminal's own two colours, nothing faint, and emphasis by shape. */
export const highContrastOwnTheme: Theme = tone => emphasised[tone] ?? plainTheme(tone);

export type ThemeInput = {
  /** The theme's name in the config file. */
  readonly name: 'auto' | 'dark' | 'light' | 'high-contrast' | 'plain' | '16';
  /** The number of colours shown; 0 with NO_COLOR too. */
  readonly colours: 0 | 16 | 256 | 'true';
  /** The terminal's background, if known. */
  readonly backdrop: 'dark' | 'light' | undefined;
};

/**
 * Returns the theme for a setting and a terminal. If the background is unknown, its colours can be read on any. If the
 * terminal has only its own palette, they come from that.
 */
export const chooseTheme = ({name, colours, backdrop}: ThemeInput): Theme => {
  if (colours === 0 || name === 'plain') {
    return plainTheme;
  }
  const ground = name === 'dark' || name === 'light' ? name : backdrop;
  if (name === 'high-contrast') {
    // These themes keep their contrast only with 24-bit colours.
    if (colours !== 'true' || ground === undefined) {
      return highContrastOwnTheme;
    }
    return ground === 'dark' ? highContrastDarkTheme : highContrastLightTheme;
  }
  if (name === '16' || colours === 16) {
    if (ground === undefined) {
      return colourTheme;
    }
    return ground === 'dark' ? sixteenDarkTheme : sixteenLightTheme;
  }
  return ground === undefined ? eitherTheme : ground === 'dark' ? darkTheme : lightTheme;
};
