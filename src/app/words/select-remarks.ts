import {sanitiseWord} from '../../log/text/sanitise.ts';
import type {Part} from '../rows/fit-row.ts';
import {span} from '../rows/view-row.ts';
import {headerNameCharsMax} from '../rows/word-limits.ts';
import type {State} from '../state/state.ts';

/** Renders what is said about how the service is reached. A warning stays, however narrow the screen is. */
export const selectRemarks = ({context: {remarks = []}}: Pick<State, 'context'>): readonly Part[] =>
  remarks.map(({words, isWarning}) => ({
    row: [span(sanitiseWord(words, headerNameCharsMax), isWarning ? 'bad' : 'busy')],
    rank: isWarning ? 0 : 1,
  }));
