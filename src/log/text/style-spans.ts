/**
 * A colour of the terminal's palette (0 to 7, bright 8 to 15, the 256-colour cube and greys up to 255), or red, green,
 * blue.
 */
export type Colour =
  | {readonly kind: 'palette'; readonly index: number}
  | {readonly kind: 'rgb'; readonly red: number; readonly green: number; readonly blue: number};

/** How a piece of text looks. Absent properties are the screen's own. Blinking and concealed text are never kept. */
export type TextStyle = {
  readonly foreground?: Colour;
  readonly background?: Colour;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly inverse?: true;
  readonly strike?: true;
};

/** A styled piece of a text: code units `start` up to but not including `end`. */
export type StyleSpan = {readonly start: number; readonly end: number; readonly style: TextStyle};

/** A row of a wide screen holds 500 cells; a line with more styles than this is an attack on the screen's bytes. */
export const styleSpansMax = 1000;

/** xterm reads 32 parameters, and no legitimate sequence has more. */
const sgrParametersMax = 32;

export const plainStyle: TextStyle = {};

type Parameter = {readonly value: number; readonly parts: readonly number[]};

/** ECMA-48 5.4.2: an empty parameter is 0; ITU-T T.416 separates the parts of one parameter with colons. */
const readParameters = (text: string): readonly Parameter[] =>
  text.split(';', sgrParametersMax).map(parameter => {
    const [value = 0, ...parts] = parameter.split(':', sgrParametersMax).map(part => (part === '' ? 0 : Number(part)));
    return {value, parts};
  });

const isByte = (value: number | undefined): value is number => value !== undefined && value <= 255;

const paletteColour = (index: number | undefined): Colour | undefined =>
  isByte(index) ? {kind: 'palette', index} : undefined;

const rgbColour = (red?: number, green?: number, blue?: number): Colour | undefined =>
  isByte(red) && isByte(green) && isByte(blue) ? {kind: 'rgb', red, green, blue} : undefined;

/** Reads the colour after 38 or 48, and how many further parameters it took. An unknown form takes all the rest. */
const readExtendedColour = (
  parameters: readonly Parameter[],
  index: number,
): {readonly colour: Colour | undefined; readonly taken: number} => {
  const parts = parameters[index]?.parts ?? [];
  if (parts.length > 0) {
    // T.416 puts a colour space before the components of 38:2, xterm's older form does not: the count distinguishes
    // them.
    const components = parts.length > 4 ? parts.slice(2) : parts.slice(1);
    const colour =
      parts[0] === 5 ? paletteColour(parts[1]) : parts[0] === 2 ? rgbColour(...components.slice(0, 3)) : undefined;
    return {colour, taken: 0};
  }
  const kind = parameters[index + 1]?.value;
  const valueAt = (offset: number) => parameters[index + offset]?.value;
  if (kind === 5) {
    return {colour: paletteColour(valueAt(2)), taken: 2};
  }
  if (kind === 2) {
    return {colour: rgbColour(valueAt(2), valueAt(3), valueAt(4)), taken: 4};
  }
  return {colour: undefined, taken: parameters.length};
};

const flagsOn: Readonly<Record<number, TextStyle>> = {
  1: {bold: true},
  2: {dim: true},
  3: {italic: true},
  4: {underline: true},
  7: {inverse: true},
  9: {strike: true},
  21: {underline: true},
};

const flagsOff: Readonly<Record<number, readonly (keyof TextStyle)[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
  39: ['foreground'],
  49: ['background'],
};

const without = (style: TextStyle, names: readonly (keyof TextStyle)[]): TextStyle => {
  const rest: {-readonly [Name in keyof TextStyle]: TextStyle[Name]} = {...style};
  for (const name of names) {
    delete rest[name];
  }
  return rest;
};

/** The parameters that choose a colour of the palette: the first of eight, and which colour that is. */
const paletteRanges = [
  {first: 30, index: 0, ground: 'foreground'},
  {first: 40, index: 0, ground: 'background'},
  {first: 90, index: 8, ground: 'foreground'},
  {first: 100, index: 8, ground: 'background'},
] as const;

const withPalette = (style: TextStyle, value: number): TextStyle => {
  const range = paletteRanges.find(({first}) => value >= first && value < first + 8);
  return range ? {...style, [range.ground]: paletteColour(value - range.first + range.index)} : style;
};

/**
 * Returns the style after one SGR sequence; `parameters` is the text between CSI and `m` (digits, `;` and `:`). ECMA-48
 * 8.3.117, with xterm's 90 to 107, 38 and 48. Unknown parameters, blink and conceal change nothing.
 */
export const applyTextSgr = (style: TextStyle, parameters: string): TextStyle => {
  const list = readParameters(parameters);
  let result = style;
  for (let i = 0; i < list.length; i += 1) {
    const {value, parts} = list[i] ?? {value: 0, parts: []};
    const off = flagsOff[value];
    if (value === 0) {
      result = plainStyle;
    } else if (value === 38 || value === 48) {
      const {colour, taken} = readExtendedColour(list, i);
      i += taken;
      if (colour) {
        result = value === 38 ? {...result, foreground: colour} : {...result, background: colour};
      }
    } else if (value === 4 && parts[0] === 0) {
      result = without(result, ['underline']);
    } else if (off) {
      result = without(result, off);
    } else {
      result = withPalette({...result, ...flagsOn[value]}, value);
    }
  }
  return result;
};

const isPlain = (style: TextStyle): boolean => Object.keys(style).length === 0;

/** Collects the spans of one text as it is read from left to right. */
export type StyleCollector = {
  /** Takes an SGR sequence that precedes the code unit `index` of the safe text. */
  apply(parameters: string, index: number): void;
  /** Returns the spans of a safe text that ends at `length`; at most `styleSpansMax`, text after them is plain. */
  finish(length: number): readonly StyleSpan[];
};

export const createStyleCollector = (): StyleCollector => {
  const spans: StyleSpan[] = [];
  let style = plainStyle;
  let start = 0;
  const closeSpan = (end: number): void => {
    if (end > start && !isPlain(style) && spans.length < styleSpansMax) {
      spans.push({start, end, style});
    }
    start = end;
  };
  return {
    apply(parameters, index) {
      closeSpan(index);
      style = applyTextSgr(style, parameters);
    },
    finish(length) {
      closeSpan(length);
      return spans.filter(span => span.start < length).map(span => (span.end > length ? {...span, end: length} : span));
    },
  };
};
