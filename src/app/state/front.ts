import type {Prompt} from '../parts/prompt.ts';

/**
 * What is open in front of the screen and takes its keys: one thing at a time. Help and input lines replace each other,
 * with two exceptions: a prompt opened while a list's filter is being typed gives the keys back to the filter, and a
 * prompt does not close for help, which would lose what was typed. A pane over the log's lines is part of the log, and
 * stays open behind all of these.
 */
export type Front =
  | {readonly kind: 'none'}
  /** `top`: rows of the help scrolled out above. `search`: shows only these keys; `isOpen` while it takes letters. */
  | {readonly kind: 'help'; readonly top: number; readonly search?: {readonly text: string; readonly isOpen: boolean}}
  /** The input line of a list's filter. */
  | {readonly kind: 'filter'}
  | {readonly kind: 'prompt'; readonly prompt: Prompt; readonly over: 'screen' | 'filter'};

type Fronted = {readonly front: Front};

export const noFront: Front = {kind: 'none'};

/** Checks whether typed letters are text, not keys. */
export const takesText = ({front}: Fronted): boolean =>
  front.kind === 'filter' || front.kind === 'prompt' || isHelpSearchOpen(front);

const isHelpSearchOpen = (front: Front): boolean => front.kind === 'help' && front.search?.isOpen === true;

/** Returns the open prompt, if any. */
export const promptOf = ({front}: Fronted): Prompt | undefined => (front.kind === 'prompt' ? front.prompt : undefined);

/** Checks whether the filter's input line is open, perhaps under a prompt. */
export const isFilterOpen = ({front}: Fronted): boolean =>
  front.kind === 'filter' || (front.kind === 'prompt' && front.over === 'filter');

/** Opens or closes help. */
export const toggleHelp = (front: Front): Front => {
  switch (front.kind) {
    case 'help':
      return noFront;
    case 'none':
    case 'filter':
      return {kind: 'help', top: 0};
    case 'prompt':
      return front;
    default:
      return front satisfies never;
  }
};

/** Opens a prompt, or replaces the open one. */
export const withPrompt = (front: Front, prompt: Prompt): Front => {
  switch (front.kind) {
    case 'prompt':
      return {...front, prompt};
    case 'filter':
      return {kind: 'prompt', prompt, over: 'filter'};
    case 'none':
    case 'help':
      return {kind: 'prompt', prompt, over: 'screen'};
    default:
      return front satisfies never;
  }
};

/** Closes the prompt; whatever is under it gets the keys back. */
export const withoutPrompt = (front: Front): Front =>
  front.kind !== 'prompt' ? front : front.over === 'filter' ? {kind: 'filter'} : noFront;

/** Opens the filter's input line; an open prompt keeps the keys until it closes. */
export const withFilterOpen = (front: Front): Front =>
  front.kind === 'prompt' ? {...front, over: 'filter'} : {kind: 'filter'};

/** Closes the filter's input line. */
export const withoutFilterOpen = (front: Front): Front => {
  switch (front.kind) {
    case 'filter':
      return noFront;
    case 'prompt':
      return {...front, over: 'screen'};
    case 'none':
    case 'help':
      return front;
    default:
      return front satisfies never;
  }
};
