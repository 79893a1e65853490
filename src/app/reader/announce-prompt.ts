import {commandChoices} from '#app/choices/palette.ts';
import type {Prompt, PromptKind} from '#app/keys/prompt.ts';
import {comparedChoices} from '#app/log/compare-incident.ts';
import {promptOf} from '#app/state/input-focus.ts';
import type {State} from '#app/state/state.ts';
import {promptCharsMax} from '#base/bounds.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {placeInList} from './read/list-items.ts';

/** Prompts announced when an input line opens. */
const promptWords: Readonly<Record<PromptKind, string>> = {
  palette: 'Command: type a part of its name. Up and Down choose, Enter runs it, Escape closes.',
  search: 'Search for: text, or a regular expression after re colon. Enter searches, Escape leaves.',
  include: 'Show only lines with: Enter takes it, Escape leaves.',
  exclude: 'Hide lines with: Enter takes it, Escape leaves.',
  unfilter: 'Take a filter away, by its number; Enter alone takes the last, Escape leaves.',
  highlight: 'Highlight: Enter takes it, Escape leaves.',
  time: 'Go to the time: such as 14:02, minus 15m or a date. Enter goes there, Escape leaves.',
  range: 'Show only what is between two times: such as 14:02 to 14:05. Enter takes it, Escape leaves.',
  filterName: 'Keep the filters by a name: Enter keeps them, Escape leaves.',
  note: 'Note for a mark here, may be empty: Enter sets the mark, Escape sets none.',
  markedNote: 'Note of the mark here: Enter takes it, an empty note removes the mark, Escape leaves it.',
  saveLines: 'Save the lines to a file: the path can be changed. Enter saves, Escape leaves.',
  saveIncident: 'Save a note about what happened to a file: the path can be changed. Enter saves, Escape leaves.',
  compared: 'Compare with a branch: type a part of its name. Up and Down choose, Enter compares, Escape leaves.',
  replaceFile: 'That file is there already. Enter replaces it, another path leaves it alone, Escape saves nothing.',
  pipe: 'Hand the lines to a command: Enter runs it, Escape leaves.',
};

/** Announces changes of the input line: opened, typed text, selected choice. */
export const announcePrompt = (before: State, now: State): readonly string[] => {
  const prompt = promptOf(now);
  const was = promptOf(before);
  if (prompt === undefined || prompt === was) {
    return [];
  }
  if (was?.kind !== prompt.kind) {
    return [promptWords[prompt.kind]];
  }
  return prompt.text === was.text && prompt.choice === was.choice ? [] : [readPrompt(now, prompt)];
};

/** `gap: next gap, to the next gap; item 1 of 3, selected` */
export const readPrompt = (state: State, {kind, text, choice}: Prompt): string => {
  const typed = text === '' ? '' : `${sanitiseWord(text, promptCharsMax)}: `;
  if (kind === 'compared' && state.log) {
    const choices = comparedChoices(state, state.log, text).map(({name, what}) => `${name}, ${what}`);
    return readChoice(typed, choices, choice);
  }
  if (kind !== 'palette') {
    return text === '' ? 'Nothing is typed.' : typed.slice(0, -2);
  }
  const choices = commandChoices(state, text).map(({name, binding}) => `${name}, ${binding.help}`);
  return readChoice(typed, choices, choice);
};

const readChoice = (typed: string, choices: readonly string[], choice: number): string => {
  const chosen = choices[choice];
  return chosen === undefined ? `${typed}nothing fits.` : `${typed}${chosen}; ${placeInList(choice, choices.length)}`;
};
