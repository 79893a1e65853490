/** Red, green and blue, 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** What xterm shows for its first sixteen colours by default. Users choose their own, so this is a guess that is right in kind. */
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

/** The steps of the cube of colours 16 to 231, the same on each axis. */
const cubeSteps = [0, 95, 135, 175, 215, 255] as const;
const cubeStart = 16;
const greyStart = 232;
const greyCount = 24;

const greyLevel = (step: number): number => 8 + 10 * step;

/** What colour `index` of the 256 looks like; the first sixteen as xterm has them. */
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

/** How far apart two colours look: squared differences, weighted by how much the eye makes of each at that redness. */
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

/** The one of the 256 colours that looks most alike; never one of the first sixteen, which each user sees otherwise. */
export const nearestOf256 = (colour: Rgb): number => nearestOf(colour, cubeStart, greyStart + greyCount);

/** The one of the sixteen colours that looks most alike. */
export const nearestOf16 = (colour: Rgb): number => nearestOf(colour, 0, sixteen.length);
