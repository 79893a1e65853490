import type {Prompt, PromptKind} from '#app/keys/prompt.ts';
import type {LogState, State} from '#app/state/state.ts';
import {next, type Step, withLog} from '#app/state/step.ts';
import {takeCompared} from './compare-incident.ts';
import {takePipe} from './copying.ts';
import {addFilter, removeNumberedFilter} from './filters.ts';
import {takeFilterName} from './filters-pane.ts';
import {goToTypedTime, takeRange} from './go-to-time.ts';
import {removeHighlights, toggleHighlight} from './highlights.ts';
import {takeNote} from './marking.ts';
import {takePath, takeReplacedPath} from './saving.ts';
import {searchFor} from './search.ts';

/** An input line of the log's screen: all but the palette. */
type LogPrompt = Prompt & {readonly kind: Exclude<PromptKind, 'palette'>};

/** Takes what was typed or chosen in an input line of the log. */
export const takeLogPrompt = (state: State, log: LogState, prompt: LogPrompt): Step => {
  const {kind, text} = prompt;
  switch (kind) {
    case 'compared':
      return takeCompared(state, log, prompt);
    case 'unfilter':
      return next(removeNumberedFilter(state, log, text));
    case 'search':
    case 'include':
    case 'exclude':
    case 'highlight':
      return takePattern(state, log, kind, text);
    case 'time':
      return goToTypedTime(state, log, text);
    case 'range':
      return takeRange(state, log, text);
    case 'filterName':
      return takeFilterName(state, log, text);
    case 'note':
    case 'markedNote':
      return takeNote(state, log, text);
    case 'saveLines':
      return takePath(state, log, 'lines', text);
    case 'saveIncident':
      return takePath(state, log, 'incident', text);
    case 'saveTimeline':
      return takePath(state, log, 'timeline', text);
    case 'replaceFile':
      return takeReplacedPath(state, log, text);
    case 'pipe':
      return takePipe(state, log, text);
    default:
      return kind satisfies never;
  }
};

/** Takes a pattern that the user typed for the log. */
const takePattern = (state: State, log: LogState, kind: PatternPrompt, text: string): Step => {
  // As in less, empty input means the previous search.
  const query = text === '' && kind === 'search' ? (state.promptHistory.search?.[0] ?? '') : text;
  if (query === '') {
    return next(kind === 'highlight' ? withLog(state, removeHighlights(log)) : state);
  }
  if (kind === 'search') {
    return searchFor(state, log, query);
  }
  const changed = kind === 'highlight' ? toggleHighlight(log, query) : addFilter(log, kind, query);
  return next('error' in changed ? {...state, notice: changed.error} : withLog(state, changed));
};

type PatternPrompt = 'search' | 'include' | 'exclude' | 'highlight';
