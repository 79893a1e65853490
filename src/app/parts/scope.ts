import type {LogView, SourcedEntry} from '../../log/view/log-view.ts';

/** A part of a log as it stood at one moment: what comes in later changes nothing of it. */
export type Scope = {
  readonly view: LogView;
  /** Index of the first entry. */
  readonly first: number;
  /** Index behind the last entry. */
  readonly end: number;
  /** How it was chosen: all that is held, what the filters leave of that, or lines that were picked. */
  readonly chosen: 'all' | 'filtered' | 'picked';
};

/** A chunk holds eight times as many, and to read one costs a millisecond or two. */
const batchEntries = 64;

/** The entries of a scope, some at a time, so that whoever goes through a million can let others have their turn. */
export function* batchesOf({view, first, end}: Scope): Generator<readonly SourcedEntry[]> {
  for (let from = first; from < end; from += batchEntries) {
    yield view.slice(from, Math.min(batchEntries, end - from));
  }
}
