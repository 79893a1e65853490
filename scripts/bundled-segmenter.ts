import {isUnitByUnit} from './bundled-columns.ts';

type Segments = Pick<Intl.Segments, 'containing'> & Iterable<Intl.SegmentData>;

/**
 * Runs inside the bundle in the place of `Intl.Segmenter`, which Ink and its packages make as soon as they are loaded, 15 ms and 4 MB.
 * This one makes it when a text first needs it; those of most screens come apart without.
 */
class Segmenter {
  readonly #locales: Intl.LocalesArgument;
  readonly #options: Intl.SegmenterOptions;
  #full: Intl.Segmenter | undefined;

  constructor(locales?: Intl.LocalesArgument, options: Intl.SegmenterOptions = {}) {
    this.#locales = locales;
    this.#options = options;
  }

  segment(text: string): Segments {
    if ((this.#options.granularity ?? 'grapheme') === 'grapheme' && isUnitByUnit(text)) {
      return segmentsOfUnits(text);
    }
    // By way of globalThis, since the bundle replaces the shorter name.
    this.#full ??= new globalThis.Intl.Segmenter(this.#locales, this.#options);
    return this.#full.segment(text);
  }
}

const segmentsOfUnits = (text: string): Segments => ({
  containing: (index = 0) =>
    index >= 0 && index < text.length ? {segment: text.charAt(index), index, input: text} : undefined,
  *[Symbol.iterator]() {
    for (let index = 0; index < text.length; index += 1) {
      yield {segment: text.charAt(index), index, input: text};
    }
  },
});

/** The name is what esbuild puts it in the place of. */
export {Segmenter as 'Intl.Segmenter'};
