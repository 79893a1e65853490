import {cutToCells} from '../../../log/cells/cut.ts';
import type {SourceName} from '../../../log/line/source-name.ts';
import {hiddenBy} from '../../../log/sources/source-pick.ts';
import {sanitiseWord} from '../../../log/text/sanitise.ts';
import {countOf, formatCount} from '../../../log/words/format-count.ts';
import {keyFor} from '../../keys/keymap.ts';
import {findPattern} from '../../parts/patterns.ts';
import {joinParts, type Part} from '../../rows/fit-row.ts';
import {span, type ViewRow} from '../../rows/view-row.ts';
import type {LogState, State} from '../../state/state.ts';
import {listSources} from '../sources/list-sources.ts';
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
    [
      log.areFiltersOff === true
        ? {row: [span('filters off', 'busy')], rank: 0}
        : {row: [span('filter', 'dim')], rank: 41},
      level,
      picked,
      ...chips,
      context,
      {row: [span(counts, 'dim')], rank: 1},
    ],
    columns,
    log.areFiltersOff === true
      ? {row: [span(keyFor('toggleFilters', 'log'), 'strong'), span(' switches on', 'dim')], rank: 1}
      : {row: [span(keyFor('removeFilter', 'log'), 'strong'), span(' removes', 'dim')], rank: 39},
  );
};

/** `only web-1 php`, `without web-2`, `only 2 of 6 sources`; empty if all sources are shown. */
const pickWords = (log: LogState, wordsOf: (name: SourceName) => string): string => {
  const {sourcePick} = log;
  if (sourcePick === undefined) {
    return '';
  }
  const {kind, names} = sourcePick;
  const [only] = names;
  const lead = kind === 'only' ? 'only' : 'without';
  if (only !== undefined && names.length === 1) {
    return `${lead} ${wordsOf(only) || 'unnamed sources'}`;
  }
  const listed = listSources(log);
  const isHidden = hiddenBy(sourcePick);
  const count = listed.filter(({name}) => isHidden(name) === (kind === 'hide')).length;
  return `${lead} ${formatCount(count)} of ${formatCount(listed.length)} sources`;
};
