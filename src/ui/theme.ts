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
  faint: '2',
  warn: '33',
  field: '36',
  hit: '30;43',
  hitNow: '1;4;30;103',
  selected: '7',
  selection: '4',
  highlight1: '30;46',
  highlight2: '30;45',
  highlight3: '30;42',
  highlight4: '97;44',
  highlight5: '30;47',
  highlight6: '30;105',
  // Red and yellow are left to what is wrong; the bright ones come when the others are used up.
  branch1: '36',
  branch2: '35',
  branch3: '32',
  branch4: '34',
  branch5: '96',
  branch6: '95',
  branch7: '92',
  branch8: '94',
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
  faint: '2',
  warn: '1',
  field: '',
  hit: '1;4',
  hitNow: '1;4;7',
  selected: '7',
  selection: '4',
  highlight1: '4',
  highlight2: '4',
  highlight3: '4',
  highlight4: '4',
  highlight5: '4',
  highlight6: '4',
  branch1: '',
  branch2: '',
  branch3: '',
  branch4: '',
  branch5: '',
  branch6: '',
  branch7: '',
  branch8: '',
};

/** A tone on a selected row, or one of a range. What has a ground of its own keeps it, for its text is made for that ground alone. */
export const layOver = (theme: Theme, tone: Tone, over: 'selected' | 'selection'): string => {
  const [own, laid] = [theme[tone], theme[over]];
  const hasGround = /(?:^|;)48;/.test(own);
  return hasGround || own === '' || laid === '' ? own || laid : `${own};${laid}`;
};
