import type {Tone} from '../app/view-row.ts';

/** The parameters of SGR (ECMA-48, 8.3.117) for each tone; empty leaves the terminal's own look. */
export type Theme = Readonly<Record<Tone, string>>;

/** Sixteen colours suffice, and only the terminal's own, so that light and dark backgrounds both stay readable. */
export const colourTheme: Theme = {
  plain: '',
  dim: '2',
  strong: '1',
  accent: '36',
  good: '32',
  busy: '33',
  bad: '31',
  bar: '7',
};

/** NO_COLOR asks for no colour, not for no emphasis: words and glyphs carry the meaning, bold and faint help the eye. */
export const plainTheme: Theme = {
  plain: '',
  dim: '2',
  strong: '1',
  accent: '',
  good: '',
  busy: '1',
  bad: '1',
  bar: '7',
};
