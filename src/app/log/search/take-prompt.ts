import type {Prompt} from '../../parts/prompt.ts';
import {withLog} from '../../state/handler.ts';
import type {LogState, State} from '../../state/state.ts';
import {type Step, stay} from '../../state/step.ts';
import {addFilter} from './filters.ts';
import {removeHighlights, toggleHighlight} from './highlights.ts';
import {searchFor} from './search.ts';

/** Takes a pattern that the user typed for the log. */
export const takePattern = (state: State, log: LogState, kind: PatternPrompt, prompt: Prompt): Step => {
  // As in less, empty input means the previous search.
  const query = prompt.text === '' && kind === 'search' ? (state.promptHistory.search?.[0] ?? '') : prompt.text;
  if (query === '') {
    return stay(kind === 'highlight' ? withLog(state, removeHighlights(log)) : state);
  }
  if (kind === 'search') {
    return searchFor(state, log, query);
  }
  const changed = kind === 'highlight' ? toggleHighlight(log, query) : addFilter(log, kind, query);
  return stay('error' in changed ? {...state, notice: changed.error} : withLog(state, changed));
};

export type PatternPrompt = 'search' | 'include' | 'exclude' | 'highlight';
