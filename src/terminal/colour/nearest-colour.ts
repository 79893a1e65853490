/** Red, green and blue, 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

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
