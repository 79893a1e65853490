import type {FuzzyMatch} from '#log/fuzzy.ts';
import type {Tone} from './tones.ts';
import {type Span, span} from './view-row.ts';

/**
 * Returns a text with its matched letters emphasised. `text` is the matched text, or the beginning of it followed by
 * more: an ellipsis, blanks. `length` is the length of that beginning in code units.
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
