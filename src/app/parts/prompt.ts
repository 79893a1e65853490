/** What is being asked for in the row above the hints. */
export type PromptKind = (typeof promptKinds)[number];

const promptKinds = [
  'palette',
  'search',
  'include',
  'exclude',
  'unfilter',
  'highlight',
  'time',
  'note',
  'markedNote',
  'saveLines',
  'saveIncident',
  'replaceFile',
  'pipe',
] as const;

/** An input line that is open: it takes the letters. */
export type Prompt = {
  readonly kind: PromptKind;
  readonly text: string;
  /** Which of what it offers is highlighted, from 0. */
  readonly choice: number;
  /** How far back in what was typed there before; 0 is what is being typed. */
  readonly back: number;
};

/** What was typed into each kind of prompt before, newest first. */
export type PromptHistory = Readonly<Partial<Record<PromptKind, readonly string[]>>>;

/** More than any pattern that is typed; keeps a pasted file from becoming one. */
export const promptCharsMax = 500;
const historyMax = 50;

export const openPrompt = (kind: PromptKind, text = ''): Prompt => ({kind, text, choice: 0, back: 0});

/** What a prompt asks, at its left. */
export const promptLabels: Readonly<Record<PromptKind, string>> = {
  palette: ':',
  search: '/',
  include: 'only lines matching ',
  exclude: 'no lines matching ',
  unfilter: 'remove filter number ',
  highlight: 'highlight ',
  time: 'go to the time ',
  note: 'note (optional): ',
  markedNote: 'note (empty: remove the mark): ',
  saveLines: 'save lines to ',
  saveIncident: 'save a note to ',
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

/** The last word, and the blanks behind it. */
export const deleteWord = (prompt: Prompt): Prompt => ({
  ...prompt,
  text: prompt.text.replace(/\S*\s*$/u, ''),
  choice: 0,
  back: 0,
});

export const clearText = (prompt: Prompt): Prompt => ({...prompt, text: '', choice: 0, back: 0});

/** Goes back in what was typed there before, or with a negative count forth again. */
export const recall = (prompt: Prompt, history: PromptHistory, count: number): Prompt => {
  const entries = history[prompt.kind] ?? [];
  const back = Math.max(0, Math.min(entries.length, prompt.back + count));
  return back === prompt.back ? prompt : {...prompt, back, text: entries[back - 1] ?? ''};
};

/** The history with a text put in front; once only, wherever it stood before. */
export const remember = (history: PromptHistory, {kind, text}: Prompt): PromptHistory =>
  text === ''
    ? history
    : {...history, [kind]: [text, ...(history[kind] ?? []).filter(each => each !== text)].slice(0, historyMax)};
