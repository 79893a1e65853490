import type {Theme} from './theme.ts';
import {paletteGround, paletteText, paletteTextOn} from './theme-colours.ts';

const ink = 234;

/** For light backgrounds, from white to #eeeeee, by the rules of the dark one. */
export const lightTheme: Theme = {
  plain: '',
  dim: paletteText(240),
  faint: paletteText(241),
  strong: '1',
  accent: paletteText(24),
  good: paletteText(22),
  busy: paletteText(58),
  warn: paletteText(94),
  bad: paletteText(160),
  bar: '7',
  field: paletteText(25),
  hit: paletteTextOn(ink, 221),
  hitNow: `1;${paletteTextOn(ink, 208)}`,
  selected: paletteGround(195),
  selection: paletteGround(229),
  highlight1: paletteTextOn(ink, 159),
  highlight2: paletteTextOn(ink, 219),
  highlight3: paletteTextOn(ink, 157),
  highlight4: paletteTextOn(ink, 147),
  highlight5: paletteTextOn(ink, 218),
  highlight6: paletteTextOn(ink, 252),
  branch1: paletteText(23),
  branch2: paletteText(90),
  branch3: paletteText(22),
  branch4: paletteText(20),
  branch5: paletteText(55),
  branch6: paletteText(125),
  branch7: paletteText(58),
  branch8: paletteText(60),
};
