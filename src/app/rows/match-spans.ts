import type {FuzzyMatch} from '../../log/fuzzy/fuzzy.ts';
import type {Tone} from './tones.ts';
import {type Span, span} from './view-row.ts';

/**
 * A text with its matched letters told from the others. `text` is what was matched, or the beginning of it with more behind: a cut mark, blanks.
 * `length` says how many code units of it are the beginning.
 */
export const matchSpans = (
  text: string,
  tone: Tone,
  match: FuzzyMatch | undefined,
  length = text.length,
): readonly Span[] => {
  const spans: Span[] = [];
  let from = 0;
  for (const position of match?.positions ?? []) {
    if (position >= length) {
      break;
    }
    const before = spans.at(-1);
    if (position === from && before?.tone === 'hit') {
      spans[spans.length - 1] = span(before.text + text.charAt(position), 'hit');
    } else {
      spans.push(
        ...(position > from ? [span(text.slice(from, position), tone)] : []),
        span(text.charAt(position), 'hit'),
      );
    }
    from = position + 1;
  }
  return from < text.length ? [...spans, span(text.slice(from), tone)] : spans;
};
