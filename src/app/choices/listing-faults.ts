import type {BranchesState} from '#app/state/state.ts';
import {notAsDescribed} from '#app/words/describe-status.ts';
import {countOf} from '#log/words/format-count.ts';
import {withoutIdWords} from './without-id-words.ts';

/** Says what of the last listing is not as the interface describes; undefined if all of it is. */
export const listingFaults = ({
  skippedCount,
  withoutIdCount,
}: Pick<BranchesState, 'skippedCount' | 'withoutIdCount'>): string | undefined => {
  const partCount = skippedCount - withoutIdCount;
  const faults = [
    ...(withoutIdCount > 0 ? [withoutIdWords(withoutIdCount)] : []),
    ...(partCount > 0
      ? [`${countOf(partCount, 'part')} of the answer ${partCount === 1 ? 'is' : 'are'} ${notAsDescribed}`]
      : []),
  ];
  return faults.length === 0 ? undefined : faults.join(', ');
};
