import type {ContextLabel} from '#app/state/state.ts';

/** Names one of what a branch consists of, or an opened log. */
export const partWord = ({parts}: ContextLabel): 'pod' | 'container' | 'file' =>
  parts === 'containers' ? 'container' : parts === 'none' ? 'file' : 'pod';
