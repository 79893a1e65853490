import type {SourcedEntry} from '../../../log/view/log-view.ts';
import type {Cursor} from '../../state/state.ts';

/** Returns whether the cursor is on this entry. */
export const isAt = (cursor: Cursor | undefined, {source, entry}: SourcedEntry): boolean =>
  cursor !== undefined && cursor.anchor.source === source && cursor.anchor.id === entry.id;
