import type {SourceName} from '../../../log/line/source-name.ts';
import {hiddenBy} from '../../../log/sources/source-pick.ts';
import {formatCount} from '../../../log/words/format-count.ts';
import type {LogState} from '../../state/state.ts';
import {listSources} from './list-sources.ts';

/** `only web-1 php`, `without web-2`, `only 2 of 6 sources`; empty if all sources are shown. */
export const pickWords = (log: LogState, wordsOf: (name: SourceName) => string): string => {
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
