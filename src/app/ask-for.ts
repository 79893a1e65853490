import {openPrompt, type PromptKind} from './prompt.ts';
import type {State} from './state.ts';
import {type Step, stay} from './step.ts';

/** Opens an input line; the help makes room for it. */
export const askFor = (state: State, kind: PromptKind, text = ''): Step =>
  stay({...state, isHelpOpen: false, prompt: openPrompt(kind, text)});
