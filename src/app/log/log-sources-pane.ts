import {selectedRow} from '#app/choices/list-pane.ts';
import type {SourcesPane} from '#app/panes/panes.ts';
import type {ListedSource, SourceTags} from '#app/parts/kept-views.ts';
import {nameCharsMax} from '#app/rows/fit-row.ts';
import {type Span, span, type ViewRow} from '#app/rows/view-row.ts';
import type {LogState, State} from '#app/state/state.ts';
import {closePane, type ListHandler, next, type Step, withLog} from '#app/state/step.ts';
import {type BranchLabel, branchTone, narrowColumns} from '#app/words/branch-labels.ts';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import type {SourceName} from '#log/line/entry.ts';
import {tagSources} from '#log/line/tag-sources.ts';
import {cutMiddle, padToCells} from '#log/text/cut.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {cellWidth} from '#log/text/width.ts';
import {countSources, hiddenBy, pickOf, type SourcePick, settlePick, toggleSource} from '#log/view/sources.ts';
import {sourceKey, sourceWords, unsaidSource} from '#log/words/source-words.ts';

/** A wider tag tells no more. */
const tagCellsMax = 20;
/** On a narrow terminal the cells are for the lines: a tag only tells sources apart. */
const narrowTagCells = 6;
/** Beside the label of a branch one cell less: `co/lt8nm` has eight. */
const tightTagCells = 5;
/** Tags take at most one in this many cells of the row; the others are for the lines. */
const tagShare = 10;

/** Names a source in full, without its stream. Safe to draw. */
export const sourceName = (name: SourceName): string => sanitiseWord(sourceWords(name), nameCharsMax);

/** Returns the tags of the lines; free unless a source appeared or the terminal changed its width. */
export const tagsOf = ({columns}: Pick<State, 'columns'>, {kept, sourceNames, sources}: LogState): SourceTags =>
  kept.tags.answer([columns, sourceNames], () => makeTags(sourceNames, columns, sources.length));

/** Makes the tags of sources for a terminal of this many columns; the log has `branchCount` branches. */
export const makeTags = (names: readonly SourceName[], terminalColumns: number, branchCount: number): SourceTags => {
  const cellsMax =
    terminalColumns >= narrowColumns
      ? Math.min(tagCellsMax, Math.floor(terminalColumns / tagShare))
      : branchCount === 1
        ? narrowTagCells
        : tightTagCells;
  const tags = tagSources(names, cellsMax);
  const inFull = tagSources(names, tagCellsMax);
  const columns = Math.max(0, ...tags.map(cellWidth));
  const distinct = [...new Set(tags)];
  // With several branches, the first tones are those of the branches.
  const firstTone = branchCount === 1 ? 0 : branchCount;
  const spans = new Map<string, Span>();
  const words = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const tag = tags[index] ?? '';
    spans.set(sourceKey(name), span(padToCells(tag, columns), branchTone(firstTone + distinct.indexOf(tag))));
    words.set(sourceKey(name), inFull[index] ?? '');
  }
  const blank = span(' '.repeat(columns));
  return {
    columns,
    tagOf: name => (name === undefined ? undefined : spans.get(sourceKey(name))) ?? blank,
    wordsOf: name => words.get(sourceKey(name)) || cutMiddle(sourceName(name), tagCellsMax),
  };
};

const blank = span(' ');

/** Returns what says whose a line is: the label of its branch and the tag of its source, as far as there are others. */
export const originOf = (label: BranchLabel | undefined, tags: SourceTags, source: SourceName | undefined): ViewRow => {
  const tag = tags.columns === 0 ? undefined : tags.tagOf(source);
  if (label === undefined || tag === undefined) {
    const word = label === undefined ? tag : span(label.short, label.tone);
    return word === undefined ? [] : [{...word, text: `${word.text} `}];
  }
  if (!label.isTight) {
    return [span(`${label.short} `, label.tone), tag, blank];
  }
  const [branch, rest] = [label.short.trimEnd(), tag.text.trimEnd()];
  const pad = label.columns + 1 + tags.columns - cellWidth(branch) - (rest === '' ? 0 : 1 + cellWidth(rest)) + 1;
  return [
    span(branch, label.tone),
    ...(rest === '' ? [] : [span('/', 'dim'), {...tag, text: rest}]),
    span(' '.repeat(pad)),
  ];
};

/**
 * Returns the sources of the log in order of their names, and last the lines of which the service says nothing; none if
 * it says nothing of any.
 */
export const listSources = ({kept, sources, sourceNames, sourcePick}: LogState): readonly ListedSource[] => {
  const buffers = sources.map(({tail}) => tail.log.buffer);
  return sourceNames.length === 0
    ? []
    : kept.listed.answer([sourceNames, sourcePick, ...buffers], () => makeList(buffers, sourceNames, sourcePick));
};

const makeList = (
  buffers: readonly LineBuffer[],
  names: readonly SourceName[],
  pick: SourcePick | undefined,
): readonly ListedSource[] => {
  const counts = countSources(buffers);
  const isHidden = hiddenBy(pick);
  // A source that is shown alone stays in the list, even if all its lines have left.
  const picked = new Set(pick?.names.map(sourceKey));
  return [...names, unsaidSource]
    .map((name): ListedSource => {
      const key = sourceKey(name);
      const {lineCount, gapCount} = counts.get(key) ?? {lineCount: 0, gapCount: 0};
      return {name, key, lineCount, gapCount, isHidden: isHidden(name)};
    })
    .filter(({key, lineCount, gapCount}) => lineCount + gapCount > 0 || picked.has(key))
    .toSorted(byName);
};

const byName = (a: ListedSource, b: ListedSource): number =>
  Number(a.name === unsaidSource) - Number(b.name === unsaidSource) || (a.key < b.key ? -1 : 1);

/** Opens the list of sources; says so if there are none to choose from. */
export const openSources = (state: State, log: LogState): State =>
  log.sourceNames.length === 0
    ? {...state, notice: 'this log does not report its sources'}
    : withLog(state, {...log, overlay: {kind: 'sources', selectedKey: undefined, top: 0}});

/** Shows only the lines of these sources, or hides them; the current place stays in view. */
export const pickSources = (log: LogState, kind: SourcePick['kind'], names: readonly SourceName[]): LogState => ({
  ...log,
  sourcePick: settlePick(
    pickOf(log.sourcePick, {kind, names}),
    listSources(log).map(({name}) => name),
  ),
});

/** Handles the commands that only the sources have. */
export const updateSources: ListHandler<SourcesPane> = (state, log, pane, command) => {
  const listed = listSources(log);
  const selected = selectedRow(listed, pane);
  const withPick = (sourcePick: SourcePick | undefined): Step => next(withLog(state, {...log, sourcePick}));
  switch (command) {
    case 'openLine':
      return closePane(state, log);
    case 'removeFilter':
    case 'removeFilters':
      return withPick(undefined);
    case 'togglePause': {
      const known = listed.map(({name}) => name);
      return selected && withPick(toggleSource(log.sourcePick, selected.name, known));
    }
    case 'filterIn':
      return selected && next(withLog(state, pickSources(log, 'only', [selected.name])));
    default:
      return undefined;
  }
};
