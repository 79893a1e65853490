import {type Tone, tones} from '../../app/rows/tones.ts';

/** Returns the SGR parameters of a tone; empty keeps the terminal's own look. */
export type Theme = (tone: Tone) => string;

export const colourTheme: Theme = tone => tones[tone][0];
export const plainTheme: Theme = tone => tones[tone][1];
export const darkTheme: Theme = tone => tones[tone][2];
export const lightTheme: Theme = tone => tones[tone][3];
export const highContrastDarkTheme: Theme = tone => tones[tone][4];
export const highContrastLightTheme: Theme = tone => tones[tone][5];

const emphasised: Partial<Readonly<Record<Tone, string>>> = {dim: '', faint: '', bad: '1;4', warn: '1;4'};

/** For an unknown background or palette: the terminal's own two colours, nothing faint, and emphasis by shape. */
export const highContrastOwnTheme: Theme = tone => emphasised[tone] ?? plainTheme(tone);
