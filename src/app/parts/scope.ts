import type {LogView, SourcedEntry} from '#log/view/log-view.ts';

/** A snapshot of part of a log: lines that arrive later don't change it. */
export type Scope = {
  readonly view: LogView;
  /** Index of the first entry. */
  readonly first: number;
  /** Index after the last entry. */
  readonly end: number;
  /** How it was chosen: the whole buffer, the lines that pass the filters, or the picked lines. */
  readonly chosen: 'all' | 'filtered' | 'picked';
  /** Its lines leave the program as they were written, without the time before them. */
  readonly asWritten?: boolean;
};

/** A chunk holds eight times as many entries and takes a millisecond or two to read. */
const batchEntries = 64;

/** Yields the entries of a scope in batches, so that callers going through a million can yield to other work. */
export function* batchesOf({view, first, end}: Scope): Generator<readonly SourcedEntry[]> {
  for (let from = first; from < end; from += batchEntries) {
    yield view.slice(from, Math.min(batchEntries, end - from));
  }
}
