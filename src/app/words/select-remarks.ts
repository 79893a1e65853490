import type {Part} from '#app/rows/fit-row.ts';
import {span} from '#app/rows/view-row.ts';
import {headerNameCharsMax} from '#app/rows/word-limits.ts';
import type {State} from '#app/state/state.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';

/** Renders what is said about how the service is reached. A warning stays, however narrow the screen is. */
export const selectRemarks = ({context: {remarks = []}}: Pick<State, 'context'>): readonly Part[] =>
  remarks.map(({words, isWarning}) => ({
    row: [span(sanitiseWord(words, headerNameCharsMax), isWarning ? 'bad' : 'busy')],
    rank: isWarning ? 0 : 1,
  }));
