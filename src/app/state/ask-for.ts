import {openPrompt, type PromptKind} from '#app/keys/prompt.ts';
import {withPrompt} from './input-focus.ts';
import type {State} from './state.ts';
import {type Step, stay} from './step.ts';

/** Opens a prompt. */
export const askFor = (state: State, kind: PromptKind, text = ''): Step =>
  stay({...state, focus: withPrompt(state.focus, openPrompt(kind, text))});
