import {cutToCells} from '../../../log/cells/cut.ts';
import {sanitiseWord} from '../../../log/text/sanitise.ts';
import {countOf, formatCount} from '../../../log/words/format-count.ts';
import {keyFor} from '../../keys/keymap.ts';
import {findPattern} from '../../parts/patterns.ts';
import {joinParts, type Part} from '../../rows/fit-row.ts';
import {span, type ViewRow} from '../../rows/view-row.ts';
import type {LogState, State} from '../../state/state.ts';
import {pickWords} from '../sources/pick-words.ts';
import {tagsOf} from '../sources/tag-lines.ts';
import {countShown} from './count-shown.ts';

const queryCharsMax = 100;
const chipCellsMax = 30;

/** Returns the row of active filters, with the number of lines they keep. */
export const selectChips = (state: Pick<State, 'columns'>, log: LogState): ViewRow => {
  const {columns} = state;
  const {wordsOf} = tagsOf(state, log);
  const chips = log.use.filters.map((filter, index): Part => {
    const active = findPattern(log.use, filter.patternId);
    const query = cutToCells(sanitiseWord(active?.pattern.query ?? '', queryCharsMax), chipCellsMax);
    const sign = filter.kind === 'include' ? '+' : '−';
    return {
      // Numbers matter only if there is a choice.
      row: [
        ...(log.use.filters.length === 1 ? [] : [span(`${index + 1} `, 'dim')]),
        span(`${sign} `, 'accent'),
        span(query, active?.failure === undefined ? 'strong' : 'bad'),
      ],
      rank: 3 + index,
    };
  });
  const level: Part = {
    row: log.minimumLevel === 'none' ? [] : [span('≥ ', 'accent'), span(log.minimumLevel, 'strong')],
    rank: 2,
  };
  const context: Part = {
    row: log.contextLines === 0 ? [] : [span('± ', 'accent'), span(countOf(log.contextLines, 'line'))],
    rank: 40,
  };
  const pick = pickWords(log, wordsOf);
  const picked: Part = {row: pick === '' ? [] : [span(pick, 'strong')], rank: 2};
  const {shown, held, pending} = countShown(log);
  const counts = `${formatCount(shown)} of ${formatCount(held)}${pending > 0 ? ', more to come' : ''}`;
  return joinParts(
    [{row: [span('filter', 'dim')], rank: 41}, level, picked, ...chips, context, {row: [span(counts, 'dim')], rank: 1}],
    columns,
    {row: [span(keyFor('removeFilter', 'log'), 'strong'), span(' removes', 'dim')], rank: 39},
  );
};
