import type {Capabilities, ColourDepth} from '../screen/capabilities.ts';
import {
  backgroundSlot,
  foregroundSlot,
  italicSlot,
  type Style,
  slotsOf,
  styleOf,
  underlineColourSlot,
  underlineSlot,
} from '../screen/sgr-style.ts';
import {nearestOf16, nearestOf256, paletteRgb, type Rgb} from './nearest-colour.ts';

/** A colour in a slot: one of the sixteen, one of 256, or red, green and blue. */
type Colour = number | Rgb;

/**
 * Parses `31`, `97`, `38;5;n`, `48;2;r;g;b` and the forms with colons. Returns undefined if the text is not a colour.
 */
const readColour = (text: string): Colour | undefined => {
  const [first = 0, kind, ...rest] = text.split(/[;:]/).map(Number);
  if (kind === undefined) {
    const isBright = first >= 90;
    return (first % 10) + (isBright ? 8 : 0);
  }
  const isByte = (value: number | undefined): value is number =>
    value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
  if (kind === 5) {
    return isByte(rest[0]) ? rest[0] : undefined;
  }
  // With colons, a colour space, usually empty, precedes the three.
  const [red, green, blue] = rest.slice(text.includes(':') && rest.length > 3 ? 1 : 0);
  return kind === 2 && isByte(red) && isByte(green) && isByte(blue) ? [red, green, blue] : undefined;
};

const rgbOf = (colour: Colour): Rgb => (typeof colour === 'number' ? paletteRgb(colour) : colour);

const fitColour = (colour: Colour, depth: ColourDepth): Colour | undefined => {
  switch (depth) {
    case 0:
      return undefined;
    case 16:
      return typeof colour === 'number' && colour < 16 ? colour : nearestOf16(rgbOf(colour));
    case 256:
      return typeof colour === 'number' ? colour : nearestOf256(colour);
    case 'true':
      return colour;
  }
};

const writeColour = (colour: Colour | undefined, base: 30 | 40): string => {
  if (colour === undefined) {
    return '';
  }
  if (typeof colour !== 'number') {
    return `${base + 8};2;${colour.join(';')}`;
  }
  if (colour < 16) {
    return String(base + (colour < 8 ? colour : 52 + colour));
  }
  return `${base + 8};5;${colour}`;
};

const black = 0;
const white = 15;

/** Returns the perceived brightness of a colour, 0 to 255, with the weights of ITU-R BT.601. */
const brightness = ([red, green, blue]: Rgb): number => 0.299 * red + 0.587 * green + 0.114 * blue;

/**
 * Returns the closest style that the terminal can show: colours reduced to the terminal's depth, italics only where
 * supported, underlining only in the one form that every terminal knows, and without a colour.
 *
 * Colours are always written with semicolons, which all terminals understand. If two different colours become equal in
 * the smaller palette, the text would be invisible, so it becomes black or white.
 */
export const reduceStyle = (
  style: Style,
  {colours, hasItalics}: Pick<Capabilities, 'colours' | 'hasItalics'>,
): Style => {
  const slots = slotsOf(style);
  slots[underlineSlot] = slots[underlineSlot] ? '4' : '';
  slots[italicSlot] = hasItalics ? (slots[italicSlot] ?? '') : '';
  slots[underlineColourSlot] = '';
  const foreground = readColour(slots[foregroundSlot] ?? '');
  const background = readColour(slots[backgroundSlot] ?? '');
  const hasForeground = slots[foregroundSlot] !== '' && foreground !== undefined;
  const hasBackground = slots[backgroundSlot] !== '' && background !== undefined;
  const above = hasForeground ? fitColour(foreground, colours) : undefined;
  const below = hasBackground ? fitColour(background, colours) : undefined;
  const isHidden =
    above !== undefined && above === below && String(foreground) !== String(background) && colours !== 'true';
  const seen = isHidden && below !== undefined ? (brightness(rgbOf(below)) > 127 ? black : white) : above;
  slots[foregroundSlot] = writeColour(seen, 30);
  slots[backgroundSlot] = writeColour(below, 40);
  return styleOf(slots);
};
