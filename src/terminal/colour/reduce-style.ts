import type {Capabilities, ColourDepth} from './capabilities.ts';
import {nearestOf16, nearestOf256, paletteRgb, type Rgb} from './nearest-colour.ts';
import {
  backgroundSlot,
  foregroundSlot,
  italicSlot,
  type Style,
  slotsOf,
  styleOf,
  underlineColourSlot,
  underlineSlot,
} from './sgr-style.ts';

/** What colours a slot may hold: one of the sixteen, one of 256, or red, green and blue. */
type Colour = number | Rgb;

/** Reads `31`, `97`, `38;5;n`, `48;2;r;g;b` and the forms with colons; undefined for what is no colour. */
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
  // With colons a colour space, mostly an empty one, stands before the three.
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

/** How bright a colour looks, 0 to 255: the weights of ITU-R BT.601. */
const brightness = ([red, green, blue]: Rgb): number => 0.299 * red + 0.587 * green + 0.114 * blue;

/**
 * The style nearest to this one that the terminal can show: its colours brought to the terminal's depth, italics only where they
 * are not something else, underlining in its one form that every terminal knows, and no colour for it.
 *
 * Colours always come with semicolons, which all terminals read. Two that differ and fall together in the smaller palette would
 * hide the text, so it becomes black or white then.
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
