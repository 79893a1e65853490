import {commandChoices} from '#app/choices/palette.ts';
import {withoutPrompt, withPrompt} from '#app/keys/input-focus.ts';
import type {Command} from '#app/keys/keymap.ts';
import {editText, type Prompt, type PromptKind, recall, remember, withText} from '#app/keys/prompt.ts';
import {comparedChoices, takeCompared} from '#app/log/compare-incident.ts';
import {takePipe} from '#app/log/copying.ts';
import {addFilter, removeNumberedFilter} from '#app/log/filters.ts';
import {takeFilterName, toggleNamed} from '#app/log/filters-pane.ts';
import {goToTypedTime, takeRange} from '#app/log/go-to-time.ts';
import {removeHighlights, toggleHighlight} from '#app/log/highlights.ts';
import {takeNote} from '#app/log/marking.ts';
import {takePath, takeReplacedPath} from '#app/log/saving.ts';
import {searchFor} from '#app/log/search.ts';
import type {StampedEvent} from '#app/state/event.ts';
import type {LogState, State} from '#app/state/state.ts';
import {next, type Step, withLog} from '#app/state/step.ts';

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
    case 'DeleteWord':
    case 'ClearLine':
      return next(
        key === 'Backspace' && prompt.text === ''
          ? closed(state)
          : change(withText(prompt, editText(prompt.text, key))),
      );
    case 'Up':
      return next(change(move(state, prompt, -1)));
    case 'Down':
      return next(change(move(state, prompt, 1)));
    case 'Esc':
      return next(closed(state));
    case 'Enter':
      return take({...closed(state), promptHistory: remember(state.promptHistory, prompt)}, prompt, give);
    default:
      return key satisfies never;
  }
};

const closed = (state: State): State => ({...state, focus: withoutPrompt(state.focus)});

/** Up and down choose if there are choices; otherwise they go through the history. */
const move = (state: State, prompt: Prompt, count: number): Prompt => {
  const choices = choicesOf(state, prompt);
  if (choices === undefined) {
    return recall(prompt, state.promptHistory, -count);
  }
  const last = choices.length - 1;
  return {...prompt, choice: Math.max(0, Math.min(last, prompt.choice + count))};
};

/** Returns what can be chosen in an input line; undefined if it takes only text. */
const choicesOf = (state: State, {kind, text}: Prompt): readonly unknown[] | undefined =>
  kind === 'palette'
    ? commandChoices(state, text)
    : kind === 'compared' && state.log
      ? comparedChoices(state, state.log, text)
      : undefined;

const take = (state: State, prompt: Prompt, give: (state: State, command: Command) => Step): Step => {
  const {kind, text} = prompt;
  const {log} = state;
  if (kind === 'palette') {
    return takeChoice(state, prompt, give);
  }
  // All others belong to the log's screen.
  return log === undefined
    ? next(state)
    : kind === 'compared'
      ? takeCompared(state, log, prompt)
      : takeText(state, log, kind, text);
};

const takeChoice = (state: State, {text, choice}: Prompt, give: (state: State, command: Command) => Step): Step => {
  const chosen = commandChoices(state, text)[choice];
  if (chosen?.named !== undefined && state.log !== undefined) {
    return toggleNamed(state, state.log, chosen.named);
  }
  return chosen === undefined
    ? next({...state, notice: `no command like “${text}”`})
    : give(state, chosen.binding.command);
};

const takeText = (
  state: State,
  log: LogState,
  kind: Exclude<PromptKind, 'palette' | 'compared'>,
  text: string,
): Step => {
  switch (kind) {
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
