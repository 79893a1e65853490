import type {Branch} from '../../../api/decode/branch.ts';
import {sanitiseWord} from '../../../log/text/sanitise.ts';
import {countOf} from '../../../log/words/format-count.ts';
import {span, type ViewRow} from '../../rows/view-row.ts';
import {messageCharsMax} from '../../rows/word-limits.ts';
import {troubleWords} from '../../words/describe-status.ts';

/** Each takes a few rows of a terminal; the branch's record has all. */
const troublesShownMax = 3;

/** Returns what keeps a branch's pods from working, the worst first, as rows that may be wider than the screen. */
export const troubleRows = ({troubles}: Pick<Branch, 'troubles'>): readonly ViewRow[] => {
  const more = troubles.length - troublesShownMax;
  return [
    ...troubles
      .slice(0, troublesShownMax)
      .map((trouble): ViewRow => [span(sanitiseWord(troubleWords(trouble), messageCharsMax), 'busy')]),
    ...(more > 0 ? [[span(`and ${countOf(more, 'trouble')} more`, 'dim')]] : []),
  ];
};
