import type {Theme} from './theme.ts';
import {paletteGround, paletteText, paletteTextOn} from './theme-colours.ts';

const ink = 234;

/**
 * For dark backgrounds, from black to #22262e. Quiet on purpose: what is plain keeps the terminal's own colour, and only what is wrong is warm
 * and bright. Text has a contrast of 4.5 or more (WCAG 2), on selected rows too.
 */
export const darkTheme: Theme = {
  plain: '',
  dim: paletteText(249),
  faint: paletteText(248),
  strong: '1',
  accent: paletteText(117),
  good: paletteText(114),
  busy: paletteText(186),
  warn: paletteText(215),
  bad: paletteText(210),
  bar: '7',
  field: paletteText(153),
  hit: paletteTextOn(ink, 222),
  hitNow: `1;${paletteTextOn(ink, 208)}`,
  selected: paletteGround(237),
  selection: paletteGround(18),
  highlight1: paletteTextOn(ink, 116),
  highlight2: paletteTextOn(ink, 182),
  highlight3: paletteTextOn(ink, 150),
  highlight4: paletteTextOn(ink, 147),
  highlight5: paletteTextOn(ink, 218),
  highlight6: paletteTextOn(ink, 252),
  branch1: paletteText(116),
  branch2: paletteText(182),
  branch3: paletteText(150),
  branch4: paletteText(111),
  branch5: paletteText(183),
  branch6: paletteText(218),
  branch7: paletteText(144),
  branch8: paletteText(115),
};
