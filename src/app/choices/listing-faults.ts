import {countOf} from '../../log/words/format-count.ts';
import type {BranchesState} from '../state/state.ts';
import {notAsDescribed} from '../words/describe-status.ts';
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
