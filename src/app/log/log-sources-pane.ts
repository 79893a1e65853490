import type {ListedSource} from '#app/parts/kept-views.ts';
import type {LogState} from '#app/state/state.ts';
import type {LineBuffer} from '#log/buffer/buffer.ts';
import type {SourceName} from '#log/line/entry.ts';
import {countSources, hiddenBy, type SourcePick} from '#log/view/sources.ts';
import {sourceKey, unsaidSource} from '#log/words/source-words.ts';

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
