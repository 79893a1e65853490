import type {Capabilities, ColourDepth} from './capabilities.ts';

/** Red, green and blue, 0 to 255 each. */
type Rgb = readonly [red: number, green: number, blue: number];

/** xterm's defaults for the first sixteen colours. Users choose their own, so these are only approximations. */
const sixteen: readonly Rgb[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
];

/** The levels of the colour cube 16 to 231, the same on each axis. */
const cubeSteps = [0, 95, 135, 175, 215, 255] as const;
const cubeStart = 16;
const greyStart = 232;
const greyCount = 24;

const greyLevel = (step: number): number => 8 + 10 * step;

/** Returns colour `index` of the 256; the first sixteen as in xterm. */
export const paletteRgb = (index: number): Rgb => {
  if (index >= greyStart) {
    const level = greyLevel(Math.min(index - greyStart, greyCount - 1));
    return [level, level, level];
  }
  const place = index - cubeStart;
  if (place < 0) {
    return sixteen[index] ?? [0, 0, 0];
  }
  const step = (divisor: number): number => cubeSteps[Math.floor(place / divisor) % 6] ?? 0;
  return [step(36), step(6), step(1)];
};

/** Returns how different two colours look: squared differences, weighted by the eye's sensitivity at that redness. */
const distance = (a: Rgb, b: Rgb): number => {
  const redness = (a[0] + b[0]) / 2;
  const [red, green, blue] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return (2 + redness / 256) * red * red + 4 * green * green + (2 + (255 - redness) / 256) * blue * blue;
};

const nearestOf = (colour: Rgb, first: number, end: number): number => {
  let nearest = first;
  let least = Number.POSITIVE_INFINITY;
  for (let index = first; index < end; index += 1) {
    const apart = distance(colour, paletteRgb(index));
    if (apart < least) {
      least = apart;
      nearest = index;
    }
  }
  return nearest;
};

/** Returns the most similar of the 256 colours, never one of the first sixteen, which users redefine. */
export const nearestOf256 = (colour: Rgb): number => nearestOf(colour, cubeStart, greyStart + greyCount);

/** Returns the most similar of the sixteen colours. */
export const nearestOf16 = (colour: Rgb): number => nearestOf(colour, 0, sixteen.length);

/**
 * Styles as values. A style is the shortest list of SGR parameters that produces it, always in the same order
 * (`1;31;48;5;22`), so two styles look the same exactly if their texts are equal. The empty text is the terminal's
 * default style. Parameters: ECMA-48 section 8.3.117, and ISO 8613-6 for 38 and 48.
 */
export type Style = string;

// One slot for each attribute that can be combined with the others; the slot's position is the order in a style's text.
// The first nine, each with the parameter that sets it and the one that clears it:
const attributes: readonly (readonly [set: number, cleared: number])[] = [
  [1, 22], // bold
  [2, 22], // dim
  [3, 23], // italic
  [4, 24], // underlined
  [5, 25], // blinking
  [7, 27], // inverse
  [8, 28], // hidden
  [9, 29], // struck out
  [53, 55], // overlined
];
const slotOfParameter: ReadonlyMap<number, number> = new Map(attributes.map(([set], slot) => [set, slot]));
const italicSlot = 2;
const underlineSlot = 3;
const foregroundSlot = 9;
const backgroundSlot = 10;
const underlineColourSlot = 11;
const slotsClearedBy: ReadonlyMap<number, readonly number[]> = new Map([
  ...attributes.map(
    ([, cleared]) => [cleared, attributes.flatMap((each, slot) => (each[1] === cleared ? slot : []))] as const,
  ),
  [39, [foregroundSlot]],
  [49, [backgroundSlot]],
  [59, [underlineColourSlot]],
]);
const slotOfLongColour = new Map([
  [38, foregroundSlot],
  [48, backgroundSlot],
  [58, underlineColourSlot],
]);

const colourSlot = (parameter: number): number | undefined => {
  if ((parameter >= 30 && parameter <= 37) || (parameter >= 90 && parameter <= 97)) {
    return foregroundSlot;
  }
  return (parameter >= 40 && parameter <= 47) || (parameter >= 100 && parameter <= 107) ? backgroundSlot : undefined;
};

/** Returns how many of the parameters from `index` on form one long colour: 38;5;n or 38;2;r;g;b. */
const longColourLength = (parameters: readonly string[], index: number): number => {
  const kind = parameters[index + 1];
  const length = kind === '5' ? 3 : kind === '2' ? 5 : 1;
  return index + length <= parameters.length ? length : 1;
};

const applyParameters = (slots: string[], parameters: readonly string[]): void => {
  let index = 0;
  while (index < parameters.length) {
    const text = parameters[index] ?? '';
    const parameter = text === '' ? 0 : Number.parseInt(text, 10);
    const longSlot = slotOfLongColour.get(parameter);
    if (longSlot !== undefined) {
      // With colons, a colour is one parameter; with semicolons, three or five.
      const length = text.includes(':') ? 1 : longColourLength(parameters, index);
      if (length > 1 || text.includes(':')) {
        slots[longSlot] = parameters.slice(index, index + length).join(';');
      }
      index += length;
      continue;
    }
    index += 1;
    if (parameter === 0) {
      slots.fill('');
      continue;
    }
    // 4:0 is one way to switch underlining off.
    const cleared = text === '4:0' ? [3] : slotsClearedBy.get(parameter);
    if (cleared) {
      for (const slot of cleared) {
        slots[slot] = '';
      }
      continue;
    }
    const slot = slotOfParameter.get(parameter) ?? colourSlot(parameter);
    if (slot !== undefined) {
      slots[slot] = text;
    }
  }
};

/** The parameter text of each attribute of a style, empty if not set. */
export type StyleSlots = readonly string[];

/** Splits a style into its slots. */
export const slotsOf = (style: Style): string[] => {
  const slots = Array.from<string>({length: underlineColourSlot + 1}).fill('');
  if (style !== '') {
    applyParameters(slots, style.split(';'));
  }
  return slots;
};

/** Bold, dim, italics, blinking and the colour of the text. */
const slotsOfText: ReadonlySet<number> = new Set([0, 1, italicSlot, 4, foregroundSlot]);

/** Checks whether a style is seen on a blank: a background, a line, or colours the other way round. */
export const showsOnBlanks = (slots: StyleSlots): boolean =>
  slots.some((text, slot) => text !== '' && !slotsOfText.has(slot));

/** Joins slots into a style. */
export const styleOf = (slots: StyleSlots): Style => slots.filter(text => text !== '').join(';');

/** Applies an SGR sequence with these parameters (`1;31`) to `style`. Unknown parameters change nothing. */
export const applySgr = (style: Style, parameters: string): Style => {
  const slots = slotsOf(style);
  applyParameters(slots, parameters.split(';'));
  return styleOf(slots);
};

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
