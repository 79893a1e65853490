import {commandChoices} from './help/palette.ts';
import type {Command} from './keys/keymap.ts';
import {takeFilterName, toggleNamed} from './log/filters/keep-filters.ts';
import {takeCompared} from './log/incident/compare-incident.ts';
import {goToTypedTime, takeRange} from './log/jumps/go-to-time.ts';
import {takeNote} from './log/marks/marking.ts';
import {takePipe} from './log/saving/piping.ts';
import {takePath, takeReplacedPath} from './log/saving/saving.ts';
import {addFilter, takeAway} from './log/search/filters.ts';
import {removeHighlights, toggleHighlight} from './log/search/highlights.ts';
import {searchFor} from './log/search/search.ts';
import {clearText, deleteLast, deleteWord, type Prompt, recall, remember} from './parts/prompt.ts';
import type {StampedEvent} from './state/event.ts';
import {withLog} from './state/handler.ts';
import {withoutPrompt, withPrompt} from './state/input-focus.ts';
import type {LogState, State} from './state/state.ts';
import {type Step, stay} from './state/step.ts';

/** Handles a key in the open input line. `give` runs the command chosen in it. */
export const pressInPrompt = (
  state: State,
  prompt: Prompt,
  key: Extract<StampedEvent, {kind: 'inputKey'}>['key'],
  give: (state: State, command: Command) => Step,
): Step => {
  const change = (changed: Prompt): State => ({...state, focus: withPrompt(state.focus, changed)});
  switch (key) {
    case 'Backspace':
      return stay(prompt.text === '' ? closed(state) : change(deleteLast(prompt)));
    case 'DeleteWord':
      return stay(change(deleteWord(prompt)));
    case 'ClearLine':
      return stay(change(clearText(prompt)));
    case 'Up':
      return stay(change(move(state, prompt, -1)));
    case 'Down':
      return stay(change(move(state, prompt, 1)));
    case 'Esc':
      return stay(closed(state));
    case 'Enter':
      return take({...closed(state), promptHistory: remember(state.promptHistory, prompt)}, prompt, give);
    default:
      return key satisfies never;
  }
};

const closed = (state: State): State => ({...state, focus: withoutPrompt(state.focus)});

/** Up and down choose if there are choices; otherwise they go through the history. */
const move = (state: State, prompt: Prompt, count: number): Prompt => {
  if (prompt.kind !== 'palette') {
    return recall(prompt, state.promptHistory, -count);
  }
  const last = commandChoices(state, prompt.text).length - 1;
  return {...prompt, choice: Math.max(0, Math.min(last, prompt.choice + count))};
};

const take = (state: State, prompt: Prompt, give: (state: State, command: Command) => Step): Step => {
  switch (prompt.kind) {
    case 'palette': {
      const choice = commandChoices(state, prompt.text)[prompt.choice];
      if (choice?.named !== undefined && state.log !== undefined) {
        return toggleNamed(state, state.log, choice.named);
      }
      return choice === undefined
        ? stay({...state, notice: `no command like “${prompt.text}”`})
        : give(state, choice.binding.command);
    }
    case 'unfilter':
      return stay(state.log === undefined ? state : takeAway(state, state.log, prompt.text));
    case 'search':
    case 'include':
    case 'exclude':
    case 'highlight':
      return state.log === undefined ? stay(state) : takePattern(state, state.log, prompt.kind, prompt);
    case 'time':
      return state.log === undefined ? stay(state) : goToTypedTime(state, state.log, prompt.text);
    case 'range':
      return state.log === undefined ? stay(state) : takeRange(state, state.log, prompt.text);
    case 'filterName':
      return state.log === undefined ? stay(state) : takeFilterName(state, state.log, prompt.text);
    case 'note':
    case 'markedNote':
      return state.log === undefined ? stay(state) : takeNote(state, state.log, prompt.text);
    case 'saveLines':
      return state.log === undefined ? stay(state) : takePath(state, state.log, 'lines', prompt.text);
    case 'saveIncident':
      return state.log === undefined ? stay(state) : takePath(state, state.log, 'incident', prompt.text);
    case 'compared':
      return state.log === undefined ? stay(state) : takeCompared(state, state.log, prompt.text.trim());
    case 'replaceFile':
      return state.log === undefined ? stay(state) : takeReplacedPath(state, state.log, prompt.text);
    case 'pipe':
      return state.log === undefined ? stay(state) : takePipe(state, state.log, prompt.text);
    default:
      return prompt.kind satisfies never;
  }
};

/** Takes a pattern that the user typed for the log. */
const takePattern = (state: State, log: LogState, kind: PatternPrompt, prompt: Prompt): Step => {
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

type PatternPrompt = 'search' | 'include' | 'exclude' | 'highlight';
