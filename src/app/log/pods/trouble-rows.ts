import type {Branch} from '#api/client/answer.ts';
import {span, type ViewRow} from '#app/rows/view-row.ts';
import {messageCharsMax} from '#app/rows/word-limits.ts';
import {troubleWords} from '#app/words/describe-status.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {countOf} from '#log/words/format-count.ts';

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
