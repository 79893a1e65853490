import {describe, expect, test} from 'vitest';
import {branchTones, highlightTones, tones as looksOfTones, type Tone} from '#app/rows/view-row.ts';
import {paletteRgb} from '#terminal/screen/sgr-style.ts';
import {paintTone} from '#ui/paint-screen.ts';
import {
  chooseTheme,
  colourTheme,
  darkTheme,
  eitherTheme,
  highContrastDarkTheme,
  highContrastLightTheme,
  highContrastOwnTheme,
  lightTheme,
  plainTheme,
  sixteenDarkTheme,
  sixteenLightTheme,
  type Theme,
} from '#ui/theme.ts';

type Colour = readonly [number, number, number];
type Look = {readonly text: Colour | undefined; readonly ground: Colour | undefined; readonly marks: readonly number[]};

const trueColour = ([red = -1, green = -1, blue = -1]: readonly number[]): Colour => {
  expect([red, green, blue].every(value => value >= 0 && value <= 255)).toBe(true);
  return [red, green, blue];
};

/** A colour of xterm's palette of 256. The first sixteen are anybody's. */
const paletteColour = (index: number): Colour => {
  expect(index).toBeGreaterThanOrEqual(16);
  expect(index).toBeLessThanOrEqual(255);
  return paletteRgb(index);
};

/** xterm's first sixteen colours, as it has them by default. */
const sixteen: readonly Colour[] = Array.from({length: 16}, (_, index) => paletteRgb(index));

/** What SGR parameters come to; only what themes may hold. */
const readLook = (parameters: string): Look => {
  let text: Colour | undefined;
  let ground: Colour | undefined;
  const marks: number[] = [];
  const rest = parameters === '' ? [] : parameters.split(';').map(Number);
  while (rest.length > 0) {
    const parameter = rest.shift() ?? 0;
    const base = parameter % 10;
    if (parameter === 38 || parameter === 48) {
      const kind = rest.shift();
      const colour = kind === 5 ? paletteColour(rest.shift() ?? -1) : trueColour(rest.splice(0, 3));
      [text, ground] = parameter === 38 ? [colour, ground] : [text, colour];
    } else if (parameter >= 30 && base < 8) {
      // xterm draws bold text of the first eight colours in the second eight.
      const isBright = parameter >= 90 || (parameter < 40 && marks.includes(1));
      const colour = sixteen[base + (isBright ? 8 : 0)];
      [text, ground] = parameter < 40 || (parameter >= 90 && parameter < 100) ? [colour, ground] : [text, colour];
    } else {
      expect([1, 2, 4, 7]).toContain(parameter);
      marks.push(parameter);
    }
  }
  return {text, ground, marks};
};

/** WCAG 2: relative luminance, and the contrast of two colours. */
const luminance = (colour: Colour): number => {
  const [red = 0, green = 0, blue = 0] = colour.map(value => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: Colour, other: Colour): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

test('contrast is counted as WCAG counts it', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
  expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2);
});

const tones = Object.keys(looksOfTones) as Tone[];

type Promised = {
  readonly name: string;
  readonly theme: Theme;
  /** The darkest and the lightest background that it is for, and the least readable text a terminal of that kind has. */
  readonly grounds: readonly [Colour, Colour];
  readonly ownText: Colour;
  readonly contrastMin: number;
};

const promised: readonly Promised[] = [
  {
    name: 'dark',
    theme: darkTheme,
    grounds: [
      [0, 0, 0],
      [0x22, 0x26, 0x2e],
    ],
    ownText: [0xb2, 0xb2, 0xb2],
    contrastMin: 4.5,
  },
  {
    name: 'light',
    theme: lightTheme,
    grounds: [
      [255, 255, 255],
      [0xee, 0xee, 0xee],
    ],
    ownText: [0x44, 0x44, 0x44],
    contrastMin: 4.5,
  },
  {
    name: 'high contrast on dark',
    theme: highContrastDarkTheme,
    grounds: [
      [0, 0, 0],
      [0x1c, 0x1c, 0x1c],
    ],
    ownText: [0xcc, 0xcc, 0xcc],
    contrastMin: 7,
  },
  {
    name: 'high contrast on light',
    theme: highContrastLightTheme,
    grounds: [
      [255, 255, 255],
      [0xee, 0xee, 0xee],
    ],
    ownText: [0x22, 0x22, 0x22],
    contrastMin: 7,
  },
];

const black: Colour = [0, 0, 0];
const white: Colour = [255, 255, 255];
// What xterm has for text on black, and on white.
const ownOn = new Map([
  [black, sixteen[7] ?? black],
  [white, black],
]);
/** Faint text keeps two thirds of its colour in xterm. */
const fainter = ([red, green, blue]: Colour): Colour => [(2 * red) / 3, (2 * green) / 3, (2 * blue) / 3];

const contrastOn = (theme: Theme, tone: Tone, ground: Colour): number => {
  const look = readLook(theme(tone));
  const text = look.text ?? ownOn.get(ground) ?? expect.fail('no such ground');
  return contrast(look.marks.includes(2) ? fainter(text) : text, look.ground ?? ground);
};

test.each([
  ['an unknown background', colourTheme, [black, white]],
  ['no colour', plainTheme, [black, white]],
  ['high contrast on what is not known', highContrastOwnTheme, [black, white]],
  ['black', sixteenDarkTheme, [black]],
  ['white', sixteenLightTheme, [white]],
] as const)('with sixteen colours every tone for %s can be read', (_name, theme, grounds) => {
  const weak = grounds.flatMap(ground =>
    tones.flatMap(tone => {
      const ratio = contrastOn(theme, tone, ground);
      return ratio < 4.5 ? [`${tone} "${theme(tone)}" ${ratio.toFixed(2)} on ${ground}`] : [];
    }),
  );
  expect(weak).toEqual([]);
});

test('with 256 colours every tone for an unknown background has a colour, and can be read on black and on white', () => {
  const weak = [black, white].flatMap(ground =>
    tones.flatMap(tone => {
      const ratio = contrastOn(eitherTheme, tone, ground);
      return ratio < (tone === 'bad' ? 3.9 : 4.2)
        ? [`${tone} "${eitherTheme(tone)}" ${ratio.toFixed(2)} on ${ground}`]
        : [];
    }),
  );
  expect(weak).toEqual([]);
  const plainTones: readonly Tone[] = ['plain', 'strong', 'lit'];
  expect(tones.filter(tone => !plainTones.includes(tone) && !/[34]8;5;/.test(eitherTheme(tone)))).toEqual([]);
  expect(new Set(branchTones.map(tone => eitherTheme(tone))).size).toBe(branchTones.length);
});

test('with sixteen colours an error on black is brighter than what is around it', () => {
  const text = (tone: Tone): number => luminance(readLook(sixteenDarkTheme(tone)).text ?? ownOn.get(black) ?? black);
  for (const tone of ['plain', 'dim', 'faint', 'warn', 'field', 'accent'] as const) {
    expect(text('bad')).toBeGreaterThan(text(tone));
  }
});

describe.each(promised)('the theme $name', ({theme, grounds, ownText, contrastMin}) => {
  test.each(grounds)('can be read on a background of %i, %i, %i', (...ground) => {
    const weak = tones.flatMap(tone =>
      [theme(tone)].flatMap(parameters => {
        const look = readLook(parameters);
        const lit = readLook(/\[([\d;]+)m/.exec(paintTone('x', tone, theme, true))?.[1] ?? '');
        // Turned round, text and ground change places: the contrast is the same.
        const ratioOf = (each: Look): number => contrast(each.text ?? ownText, each.ground ?? ground);
        // The ground of a highlighted row lies under all tones.
        const ratio = Math.min(ratioOf(look), ratioOf(lit));
        return ratio < contrastMin || look.marks.includes(2) ? [`${tone} "${parameters}" ${ratio.toFixed(2)}`] : [];
      }),
    );
    expect(weak).toEqual([]);
  });

  test('shows hits, highlights and branches as what they are', () => {
    for (const tone of ['hit', 'hitNow', 'strong', 'bad', 'warn'] as const) {
      expect([tone, theme(tone)]).not.toEqual([tone, '']);
    }
    // The dark and the light theme are for 256 colours, too.
    expect(contrastMin < 7 && tones.some(tone => theme(tone).includes('8;2;'))).toBe(false);
    expect(new Set(branchTones.map(tone => theme(tone))).size).toBe(branchTones.length);
    const grounded = ['hit', 'hitNow', ...highlightTones] as const;
    expect(new Set(grounded.map(tone => readLook(theme(tone)).ground?.join())).size).toBe(grounded.length);
  });
});

test.each([
  ['an unknown background', colourTheme],
  ['black', sixteenDarkTheme],
  ['white', sixteenLightTheme],
])(
  'the theme of sixteen colours for %s asks for no others, and tells highlights, hits and branches apart',
  (_, theme) => {
    const foreign = tones.filter(tone => /(?:^|;)[34]8;/.test(theme(tone)));
    expect(foreign).toEqual([]);
    for (const apart of [['hit', 'hitNow', ...highlightTones], branchTones] as const) {
      expect(new Set(apart.map(tone => theme(tone))).size).toBe(apart.length);
    }
  },
);

test.each([
  ['plain', plainTheme],
  ['high contrast on what is not known', highContrastOwnTheme],
])('the theme %s has no colour at all', (_name, theme) => {
  const coloured = tones.filter(tone => !/^(?:|[12]|1;4|1;4;7|4|7)$/.test(theme(tone)));
  expect(coloured).toEqual([]);
});

test('high contrast has nothing faint', () => {
  expect(tones.filter(tone => highContrastOwnTheme(tone).split(';').includes('2'))).toEqual([]);
});

test('quiet text is well below the text around it, and as bright as that in a highlighted row', () => {
  const own: Colour = [0xd3, 0xd7, 0xde];
  const dim = readLook(darkTheme('dim')).text ?? expect.fail('no colour');
  const faint = readLook(darkTheme('faint')).text ?? expect.fail('no colour');
  expect(luminance(dim)).toBeLessThan(luminance(own) / 1.8);
  expect(luminance(faint)).toBeLessThan(luminance(dim));
  expect(paintTone('x', 'dim', darkTheme, true)).toBe('\u001b[48;5;237mx\u001b[0m');
});

describe('the theme that is chosen', () => {
  const choose = (
    name: Parameters<typeof chooseTheme>[0]['name'],
    colours: Parameters<typeof chooseTheme>[0]['colours'],
    backdrop?: 'dark' | 'light',
  ): Theme => chooseTheme({name, colours, backdrop});

  test.each(['auto', 'dark', 'light', 'high-contrast', 'plain', '16'] as const)('%s without colours is plain', name => {
    expect(choose(name, 0, 'dark')).toBe(plainTheme);
  });

  test('follows the background where it is known, and else the palette of the terminal', () => {
    expect(choose('auto', 'true', 'dark')).toBe(darkTheme);
    expect(choose('auto', 256, 'light')).toBe(lightTheme);
    expect(choose('auto', 'true')).toBe(eitherTheme);
    expect(choose('auto', 256)).toBe(eitherTheme);
    expect(choose('auto', 16, 'dark')).toBe(sixteenDarkTheme);
    expect(choose('auto', 16, 'light')).toBe(sixteenLightTheme);
    expect(choose('auto', 16)).toBe(colourTheme);
  });

  test('is the one that was asked for, as far as the terminal has the colours', () => {
    expect(choose('dark', 'true', 'light')).toBe(darkTheme);
    expect(choose('light', 256)).toBe(lightTheme);
    expect(choose('light', 16)).toBe(sixteenLightTheme);
    expect(choose('16', 'true', 'dark')).toBe(sixteenDarkTheme);
    expect(choose('plain', 'true', 'dark')).toBe(plainTheme);
  });

  test('has high contrast on either background, and by shape where that is not known', () => {
    expect(choose('high-contrast', 'true', 'dark')).toBe(highContrastDarkTheme);
    expect(choose('high-contrast', 'true', 'light')).toBe(highContrastLightTheme);
    expect(choose('high-contrast', 'true')).toBe(highContrastOwnTheme);
    expect(choose('high-contrast', 256, 'dark')).toBe(highContrastOwnTheme);
    expect(choose('high-contrast', 16, 'dark')).toBe(highContrastOwnTheme);
  });
});
