import type {ContextLabel} from '../../state/state.ts';

/** Names one of what a branch consists of. */
export const partWord = ({parts}: ContextLabel): 'pod' | 'container' => (parts === 'containers' ? 'container' : 'pod');
