import {countSources, type HeldSource} from '../../../log/sources/held-sources.ts';
import {hiddenBy} from '../../../log/sources/source-pick.ts';
import {sourceKey, unsaidSource} from '../../../log/sources/source-words.ts';
import type {LogState, SourcesPane} from '../../state/state.ts';

/** A source of lines in the list. */
export type ListedSource = HeldSource & {readonly key: string; readonly isHidden: boolean};

/**
 * Returns the sources of the log in order of their names, and last the lines of which the service says nothing; none if
 * it says nothing of any.
 */
export const listSources = ({kept, sources, sourceNames, sourcePick}: LogState): readonly ListedSource[] => {
  if (sourceNames.length === 0) {
    return [];
  }
  const buffers = sources.map(({tail}) => tail.log.buffer);
  const counts = kept.sourceCounts.answer(buffers, () => countSources(buffers));
  const isHidden = hiddenBy(sourcePick);
  // A source that is shown alone stays in the list, even if all its lines have left.
  const isPicked = (key: string): boolean => sourcePick?.names.some(name => sourceKey(name) === key) === true;
  return [...sourceNames, unsaidSource]
    .map((name): ListedSource => {
      const key = sourceKey(name);
      const {lineCount, gapCount} = counts.get(key) ?? {lineCount: 0, gapCount: 0};
      return {name, key, lineCount, gapCount, isHidden: isHidden(name)};
    })
    .filter(({key, lineCount, gapCount}) => lineCount + gapCount > 0 || isPicked(key))
    .toSorted(byName);
};

const byName = (a: ListedSource, b: ListedSource): number =>
  Number(a.name === unsaidSource) - Number(b.name === unsaidSource) || (a.key < b.key ? -1 : 1);

/** Returns the highlighted source, or the first one; undefined if there are none. */
export const selectedSource = (listed: readonly ListedSource[], {selectedKey}: SourcesPane): ListedSource | undefined =>
  listed.find(({key}) => key === selectedKey) ?? listed[0];
