import {isUnitByUnit} from './bundled-columns.ts';

type Segments = Pick<Intl.Segments, 'containing'> & Iterable<Intl.SegmentData>;

/**
 * Runs inside the bundle in place of `Intl.Segmenter`, which Ink and its packages create on load: 15 ms and 4 MB. This
 * one creates it when a text first needs it; the texts of most screens do not.
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
    // Through globalThis, because the bundle replaces the shorter name.
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

/** The exported name that esbuild substitutes for it. */
export {Segmenter as 'Intl.Segmenter'};
