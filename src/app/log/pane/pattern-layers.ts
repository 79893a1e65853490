import type {Tone} from '#app/rows/tones.ts';
import {highlightTones} from '#app/rows/view-row.ts';
import {type ActivePattern, findPattern, type PatternUse, searchedPattern, spansOf} from '#app/search/patterns.ts';
import type {Layer} from './layers.ts';

/** Returns the layers of all patterns: search hits over highlights. */
export const patternLayers = (use: PatternUse, hitTone: 'hit' | 'hitNow', text: string): readonly Layer[] => {
  const highlights = use.highlights.map((id, index) =>
    toLayer(findPattern(use, id), highlightTones[index % highlightTones.length] ?? 'highlight1', text),
  );
  return [...highlights, toLayer(searchedPattern(use), hitTone, text)];
};

const toLayer = (pattern: ActivePattern | undefined, tone: Tone, text: string): Layer =>
  pattern === undefined ? [] : spansOf(pattern, text).map(({start, end}) => ({start, end, tone}));
