/** The kinds of prompt in the row above the hints. */
export type PromptKind = (typeof promptKinds)[number];

const promptKinds = [
  'palette',
  'search',
  'include',
  'exclude',
  'unfilter',
  'highlight',
  'time',
  'range',
  'filterName',
  'note',
  'markedNote',
  'saveLines',
  'saveIncident',
  'compared',
  'replaceFile',
  'pipe',
] as const;

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

/** Longer than any typed pattern; keeps a pasted file from becoming one. */
export const promptCharsMax = 500;
const historyMax = 50;

export const openPrompt = (kind: PromptKind, text = ''): Prompt => ({kind, text, choice: 0, back: 0});

/** The label to the left of a prompt. */
export const promptLabels: Readonly<Record<PromptKind, string>> = {
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
  compared: 'compare with branch (empty: none) ',
  replaceFile: 'already exists, Enter replaces ',
  pipe: '| ',
};

export const typeText = (prompt: Prompt, text: string): Prompt => ({
  ...prompt,
  text: `${prompt.text}${text}`.slice(0, promptCharsMax),
  choice: 0,
  back: 0,
});

export const deleteLast = (prompt: Prompt): Prompt => ({
  ...prompt,
  text: [...prompt.text].slice(0, -1).join(''),
  choice: 0,
  back: 0,
});

/** The last word and the blanks after it. */
export const deleteWord = (prompt: Prompt): Prompt => ({
  ...prompt,
  text: prompt.text.replace(/\S*\s*$/u, ''),
  choice: 0,
  back: 0,
});

export const clearText = (prompt: Prompt): Prompt => ({...prompt, text: '', choice: 0, back: 0});

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
