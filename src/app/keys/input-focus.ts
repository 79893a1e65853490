import type {Prompt} from './prompt.ts';

/**
 * What has the focus: the screen, or what is open over it. Help and input lines replace each other, with two
 * exceptions: a prompt opened while a list's filter is typed gives the focus back to the filter, and a prompt does
 * not close for help, which would lose what was typed. A pane over the log's lines is part of the log's screen, and
 * stays open behind all of these.
 */
export type InputFocus =
  | {readonly kind: 'screen'}
  /** `top`: rows of the help scrolled out above. `search`: shows only these keys; `isOpen` while it takes letters. */
  | {readonly kind: 'help'; readonly top: number; readonly search?: {readonly text: string; readonly isOpen: boolean}}
  /** The input line of a list's filter. */
  | {readonly kind: 'filter'}
  | {readonly kind: 'prompt'; readonly prompt: Prompt; readonly over: 'screen' | 'filter'};

type Focused = {readonly focus: InputFocus};

export const screenFocus: InputFocus = {kind: 'screen'};

/** Checks whether typed letters are text, not keys. */
export const takesText = ({focus}: Focused): boolean =>
  focus.kind === 'filter' || focus.kind === 'prompt' || isHelpSearchOpen(focus);

const isHelpSearchOpen = (focus: InputFocus): boolean => focus.kind === 'help' && focus.search?.isOpen === true;

/** Returns the open prompt, if any. */
export const promptOf = ({focus}: Focused): Prompt | undefined => (focus.kind === 'prompt' ? focus.prompt : undefined);

/** Checks whether the filter's input line is open, perhaps under a prompt. */
export const isFilterOpen = ({focus}: Focused): boolean =>
  focus.kind === 'filter' || (focus.kind === 'prompt' && focus.over === 'filter');

/** Opens or closes help. */
export const toggleHelp = (focus: InputFocus): InputFocus => {
  switch (focus.kind) {
    case 'help':
      return screenFocus;
    case 'screen':
    case 'filter':
      return {kind: 'help', top: 0};
    case 'prompt':
      return focus;
    default:
      return focus satisfies never;
  }
};

/** Opens a prompt, or replaces the open one. */
export const withPrompt = (focus: InputFocus, prompt: Prompt): InputFocus => {
  switch (focus.kind) {
    case 'prompt':
      return {...focus, prompt};
    case 'filter':
      return {kind: 'prompt', prompt, over: 'filter'};
    case 'screen':
    case 'help':
      return {kind: 'prompt', prompt, over: 'screen'};
    default:
      return focus satisfies never;
  }
};

/** Closes the prompt; whatever is under it gets the keys back. */
export const withoutPrompt = (focus: InputFocus): InputFocus =>
  focus.kind !== 'prompt' ? focus : focus.over === 'filter' ? {kind: 'filter'} : screenFocus;

/** Opens the filter's input line; an open prompt keeps the keys until it closes. */
export const withFilterOpen = (focus: InputFocus): InputFocus =>
  focus.kind === 'prompt' ? {...focus, over: 'filter'} : {kind: 'filter'};

/** Closes the filter's input line. */
export const withoutFilterOpen = (focus: InputFocus): InputFocus => {
  switch (focus.kind) {
    case 'filter':
      return screenFocus;
    case 'prompt':
      return {...focus, over: 'screen'};
    case 'screen':
    case 'help':
      return focus;
    default:
      return focus satisfies never;
  }
};
