import {plainTheme, type Theme} from './theme.ts';
import {textIn, textOn} from './theme-colours.ts';

/** A selected row is the terminal's own look turned round, which keeps each colour's contrast. */
const turned = {bar: '7', selected: '7', selection: '4', plain: '', strong: '1'} as const;

/** For dark backgrounds, from black to #1c1c1c: a contrast of 7 or more everywhere (WCAG 2, level AAA). */
export const highContrastDarkTheme: Theme = {
  ...turned,
  dim: textIn('#c8c8c8'),
  faint: textIn('#b8b8b8'),
  accent: textIn('#7fdfff'),
  good: textIn('#8cff8c'),
  busy: textIn('#ffe566'),
  warn: textIn('#ffc266'),
  bad: `1;${textIn('#ff9d94')}`,
  field: textIn('#b5d4ff'),
  hit: textOn('#000000', '#ffe566'),
  hitNow: `1;4;${textOn('#000000', '#ffa640')}`,
  highlight1: textOn('#000000', '#66ffff'),
  highlight2: textOn('#000000', '#ffa6ff'),
  highlight3: textOn('#000000', '#a6ff8c'),
  highlight4: textOn('#000000', '#adc2ff'),
  highlight5: textOn('#000000', '#ffb3d1'),
  highlight6: textOn('#000000', '#d9d9d9'),
  branch1: textIn('#66ffff'),
  branch2: textIn('#ffa6ff'),
  branch3: textIn('#b3ff66'),
  branch4: textIn('#adc2ff'),
  branch5: textIn('#d6bfff'),
  branch6: textIn('#ffb3d1'),
  branch7: textIn('#dfff99'),
  branch8: textIn('#80ffcc'),
};

/** The same for light backgrounds, from white to #eeeeee. */
export const highContrastLightTheme: Theme = {
  ...turned,
  dim: textIn('#3a3a3a'),
  faint: textIn('#444444'),
  accent: textIn('#004466'),
  good: textIn('#0b4a14'),
  busy: textIn('#533a00'),
  warn: textIn('#663300'),
  bad: `1;${textIn('#8a0000')}`,
  field: textIn('#173a75'),
  hit: textOn('#000000', '#ffe566'),
  hitNow: `1;4;${textOn('#000000', '#ffa640')}`,
  highlight1: textOn('#ffffff', '#004a4a'),
  highlight2: textOn('#ffffff', '#6b0f70'),
  highlight3: textOn('#ffffff', '#2c4a08'),
  highlight4: textOn('#ffffff', '#1f2f96'),
  highlight5: textOn('#ffffff', '#7d0f42'),
  highlight6: textOn('#ffffff', '#3a3a3a'),
  branch1: textIn('#004a4a'),
  branch2: textIn('#6b0f70'),
  branch3: textIn('#2c4a08'),
  branch4: textIn('#1f2f96'),
  branch5: textIn('#4b1f91'),
  branch6: textIn('#7d0f42'),
  branch7: textIn('#4b4100'),
  branch8: textIn('#00493a'),
};

/** Where the background or the palette is not known: the terminal's own two colours, nothing faint, and emphasis by shape. */
export const highContrastOwnTheme: Theme = {...plainTheme, dim: '', faint: '', bad: '1;4', warn: '1;4'};
