/**
 * Styles as values. A style is the shortest list of SGR parameters that produces it, always in the same order
 * (`1;31;48;5;22`), so two styles look the same exactly if their texts are equal. The empty text is the terminal's
 * default look. Parameters: ECMA-48 section 8.3.117, and ISO 8613-6 for 38 and 48.
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
export const italicSlot = 2;
export const underlineSlot = 3;
export const foregroundSlot = 9;
export const backgroundSlot = 10;
export const underlineColourSlot = 11;
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

/** Joins slots into a style. */
export const styleOf = (slots: StyleSlots): Style => slots.filter(text => text !== '').join(';');

/** Applies an SGR sequence with these parameters (`1;31`) to `style`. Unknown parameters change nothing. */
export const applySgr = (style: Style, parameters: string): Style => {
  const slots = slotsOf(style);
  applyParameters(slots, parameters.split(';'));
  return styleOf(slots);
};
