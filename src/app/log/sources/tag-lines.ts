import type {SourceTags} from '#app/parts/kept-views.ts';
import {type Span, span} from '#app/rows/view-row.ts';
import {nameCharsMax} from '#app/rows/word-limits.ts';
import type {LogState, State} from '#app/state/state.ts';
import {branchTone} from '#app/words/branch-labels.ts';
import type {SourceName} from '#log/line/entry.ts';
import {tagSources} from '#log/line/tag-sources.ts';
import {cutMiddle, padToCells} from '#log/text/cut.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {sourceKey, sourceWords} from '#log/words/source-words.ts';

/** A wider tag tells no more, and a narrower one hardly anything. */
const tagCellsMax = 20;
const tagCellsMin = 8;
/** Tags take at most one in this many cells of the row; the others are for the lines. */
const tagShare = 6;

/** Names a source in full, without its stream. Safe to draw. */
export const sourceName = (name: SourceName): string => sanitiseWord(sourceWords(name), nameCharsMax);

/** Returns the tags of the lines; free unless a source appeared or the terminal changed its width. */
export const tagsOf = ({columns}: Pick<State, 'columns'>, {kept, sourceNames, sources}: LogState): SourceTags =>
  kept.tags.answer([columns, sourceNames], () => makeTags(sourceNames, columns, sources.length));

/** Makes the tags of sources for a terminal of this many columns; the log has `branchCount` branches. */
export const makeTags = (names: readonly SourceName[], terminalColumns: number, branchCount: number): SourceTags => {
  const cellsMax = Math.max(tagCellsMin, Math.min(tagCellsMax, Math.floor(terminalColumns / tagShare)));
  const tags = tagSources(names, cellsMax);
  const columns = Math.max(0, ...tags.map(cellWidth));
  const distinct = [...new Set(tags)];
  // Of several branches, the first tones are those of the branches.
  const firstTone = branchCount === 1 ? 0 : branchCount;
  const spans = new Map<string, Span>();
  const words = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const tag = tags[index] ?? '';
    spans.set(sourceKey(name), span(padToCells(tag, columns), branchTone(firstTone + distinct.indexOf(tag))));
    words.set(sourceKey(name), tag);
  }
  const blank = span(' '.repeat(columns));
  return {
    columns,
    tagOf: name => (name === undefined ? undefined : spans.get(sourceKey(name))) ?? blank,
    wordsOf: name => words.get(sourceKey(name)) || cutMiddle(sourceName(name), tagCellsMax),
  };
};
