import {promptCharsMax} from '#base/bounds.ts';
/** The kinds of prompt in the row above the hints. */
export type PromptKind = keyof typeof promptLabels;

/** An open input line; it takes typed text. */
export type Prompt = {
  readonly kind: PromptKind;
  readonly text: string;
  /** The index of the highlighted choice, from 0. */
  readonly choice: number;
  /** The position in the history; 0 is the text being typed. */
  readonly back: number;
};

/** The history of each kind of prompt, newest first. */
export type PromptHistory = Readonly<Partial<Record<PromptKind, readonly string[]>>>;

const historyMax = 50;

export const openPrompt = (kind: PromptKind, text = ''): Prompt => ({kind, text, choice: 0, back: 0});

/** The label to the left of a prompt. */
export const promptLabels = {
  palette: ':',
  search: '/',
  include: 'only lines matching ',
  exclude: 'no lines matching ',
  unfilter: 'remove filter number ',
  highlight: 'highlight ',
  time: 'go to the time ',
  range: 'only from ',
  filterName: 'keep the filters as ',
  note: 'note (optional): ',
  markedNote: 'note (empty: remove the mark): ',
  saveLines: 'save lines to ',
  saveIncident: 'save a note to ',
  saveTimeline: 'save a timeline to ',
  compared: 'compare with ',
  replaceFile: 'already exists, Enter replaces ',
  pipe: '| ',
} as const;

export const withText = (prompt: Prompt, text: string): Prompt => ({
  ...prompt,
  text: text.slice(0, promptCharsMax),
  choice: 0,
  back: 0,
});

export const typeText = (prompt: Prompt, text: string): Prompt => withText(prompt, `${prompt.text}${text}`);

/** Returns a text after a key that deletes its last character, all of it, or the last word and the blanks after it. */
export const editText = (text: string, key: 'Backspace' | 'ClearLine' | 'DeleteWord'): string => {
  switch (key) {
    case 'Backspace':
      return [...text].slice(0, -1).join('');
    case 'ClearLine':
      return '';
    case 'DeleteWord':
      return text.replace(/\S*\s*$/u, '');
    default:
      return key satisfies never;
  }
};

/** Goes back in the prompt's history, or forward with a negative count. */
export const recall = (prompt: Prompt, history: PromptHistory, count: number): Prompt => {
  const entries = history[prompt.kind] ?? [];
  const back = Math.max(0, Math.min(entries.length, prompt.back + count));
  return back === prompt.back ? prompt : {...prompt, back, text: entries[back - 1] ?? ''};
};

/** Returns the history with a text moved or added to the front. */
export const remember = (history: PromptHistory, {kind, text}: Prompt): PromptHistory =>
  text === ''
    ? history
    : {...history, [kind]: [text, ...(history[kind] ?? []).filter(each => each !== text)].slice(0, historyMax)};
