import {commandChoices} from '#app/choices/palette.ts';
import {withoutPrompt, withPrompt} from '#app/keys/input-focus.ts';
import type {Command} from '#app/keys/keymap.ts';
import {editText, type Prompt, recall, remember, withText} from '#app/keys/prompt.ts';
import {comparedChoices} from '#app/log/compare-incident.ts';
import {toggleNamed} from '#app/log/filters-pane.ts';
import {takeLogPrompt} from '#app/log/log-prompt.ts';
import type {StampedEvent} from '#app/state/event.ts';
import type {State} from '#app/state/state.ts';
import {next, type Step} from '#app/state/step.ts';

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
  const {kind} = prompt;
  if (kind === 'palette') {
    return takeChoice(state, prompt, give);
  }
  return state.log === undefined ? next(state) : takeLogPrompt(state, state.log, {...prompt, kind});
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
