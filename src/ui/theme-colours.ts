/** SGR parameters (ISO 8613-6) of a colour of 24 bits, `#rrggbb`. */
const channelsOf = (hex: string): string =>
  [1, 3, 5].map(index => Number.parseInt(hex.slice(index, index + 2), 16)).join(';');

export const textIn = (hex: string): string => `38;2;${channelsOf(hex)}`;

/** Text on a ground of its own, readable whatever the terminal's background is. */
export const textOn = (hex: string, groundHex: string): string => `${textIn(hex)};48;2;${channelsOf(groundHex)}`;

/** The same for the colours from 16 to 255 of xterm's palette, which look the same nearly everywhere and are short to send. */
export const paletteText = (index: number): string => `38;5;${index}`;

export const paletteGround = (index: number): string => `48;5;${index}`;

export const paletteTextOn = (index: number, groundIndex: number): string =>
  `${paletteText(index)};${paletteGround(groundIndex)}`;
