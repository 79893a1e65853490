import {openPrompt, type PromptKind} from '../parts/prompt.ts';
import {withPrompt} from './front.ts';
import type {State} from './state.ts';
import {type Step, stay} from './step.ts';

/** Opens a prompt. */
export const askFor = (state: State, kind: PromptKind, text = ''): Step =>
  stay({...state, front: withPrompt(state.front, openPrompt(kind, text))});
