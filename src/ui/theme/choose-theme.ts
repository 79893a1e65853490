import {
  colourTheme,
  darkTheme,
  eitherTheme,
  highContrastDarkTheme,
  highContrastLightTheme,
  highContrastOwnTheme,
  lightTheme,
  plainTheme,
  sixteenDarkTheme,
  sixteenLightTheme,
  type Theme,
} from '../theme.ts';

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
