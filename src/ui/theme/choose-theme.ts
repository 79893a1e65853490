import {
  colourTheme,
  darkTheme,
  highContrastDarkTheme,
  highContrastLightTheme,
  highContrastOwnTheme,
  lightTheme,
  plainTheme,
  type Theme,
} from './theme.ts';

export type ThemeInput = {
  /** As the config file names it. */
  readonly name: 'auto' | 'dark' | 'light' | 'high-contrast' | 'plain' | '16';
  /** How many colours are shown; 0 for NO_COLOR, too. */
  readonly colours: 0 | 16 | 256 | 'true';
  /** What the terminal's background is, where that is known. */
  readonly backdrop: 'dark' | 'light' | undefined;
};

/**
 * The theme that fits a wish and a terminal. Where the background is not known, or the terminal has only its own palette, colours come from that palette, which its
 * user has chosen to be readable.
 */
export const chooseTheme = ({name, colours, backdrop}: ThemeInput): Theme => {
  if (colours === 0 || name === 'plain') {
    return plainTheme;
  }
  const ground = name === 'dark' || name === 'light' ? name : backdrop;
  if (name === 'high-contrast') {
    // Their colours keep the promised contrast only where all 24 bits are shown.
    if (colours !== 'true' || ground === undefined) {
      return highContrastOwnTheme;
    }
    return ground === 'dark' ? highContrastDarkTheme : highContrastLightTheme;
  }
  if (name === '16' || colours === 16 || ground === undefined) {
    return colourTheme;
  }
  return ground === 'dark' ? darkTheme : lightTheme;
};
