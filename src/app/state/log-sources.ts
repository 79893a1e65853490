import {type EntryList, listBuffer} from '#log/buffer/entry-list.ts';
import {type Instant, latestOf} from '#log/line/instant.ts';
import type {FilteredEntries} from '#log/view/line-filter.ts';
import {type Anchor, type LogView, mergeBuffers, mergeLists} from '#log/view/log-view.ts';
import type {HeldLog, LogSource, LogState, State} from './state.ts';

/** Returns the entries of the log screen as one log, after filters. */
export const viewLog = (log: LogState): LogView =>
  mergeLists(log.sources.map(({tail}, index) => filteredOf(log, index)?.list ?? listBuffer(tail.log.buffer)));

/** Returns what the filters keep of each source, with its repeated lines. */
export const keptLists = (log: LogState): readonly EntryList[] =>
  log.sources.map(({tail}, index) => filteredOf(log, index)?.unfolded ?? listBuffer(tail.log.buffer));

/** Returns the opened runs of repeated lines; undefined if these are not folded. Escaped lines never are. */
export const openedRepeats = ({look, repeats}: LogState): readonly Anchor[] | undefined =>
  look.rows === 'escaped' ? undefined : repeats;

/** Returns what the filters keep of a source (an index from 0); undefined without filters. */
export const filteredOf = ({filtering}: LogState, index: number): FilteredEntries | undefined =>
  filtering?.[index]?.filtered;

/** Checks whether filters still have lines to process; they continue by themselves. */
export const isFiltering = ({filtering}: LogState): boolean =>
  filtering?.some(({filtered}) => filtered.waitingCount > 0) === true;

/** Returns everything in the log screen's buffers, without filters. */
export const viewAll = ({sources}: LogState): LogView => mergeBuffers(sources.map(({tail}) => tail.log.buffer));

/** Returns a branch with its tail; undefined if it is not on the screen. */
export const findSource = ({sources}: LogState, branchId: string): LogSource | undefined =>
  sources.find(({branch}) => branch._id === branchId);

/**
 * Returns the time after which lines were seen to arrive, where they say no time of their own; undefined where they do.
 * Those before it were there already, and when they were written nobody knows.
 */
export const arrivalsFromOf = ({sources}: LogState): Instant | undefined =>
  latestOf(sources.map(({tail}) => tail.log.heldFrom?.arrivalsFrom));

/** A branch's log in memory; `held` is what it was left with, undefined if it is on the screen. */
export type SourceInMemory = LogSource & {readonly held?: HeldLog};

/** Returns every log of the site that is in memory, each branch once: first those on the screen, then the last left. */
export const sourcesInMemory = ({held}: Pick<State, 'held'>, log: LogState): readonly SourceInMemory[] => {
  const known = new Map<string, SourceInMemory>(log.sources.map(source => [source.branch._id, source]));
  for (const each of held.toReversed()) {
    for (const source of each.log.siteId === log.siteId ? each.log.sources : []) {
      const id = source.branch._id;
      known.set(id, known.get(id) ?? {...source, held: each});
    }
  }
  return [...known.values()];
};
