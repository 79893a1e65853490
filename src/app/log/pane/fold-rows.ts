import type {EntryList} from '../../../log/buffer/entry-list.ts';
import {createSideTable} from '../../../log/buffer/side-table.ts';
import {countFolded, traceLinesMax} from '../../../log/traits/trace.ts';
import type {LogView, SourcedEntry} from '../../../log/view/log-view.ts';
import {countOf, formatCount} from '../../../log/words/format-count.ts';
import {span, type ViewRow} from '../../rows/view-row.ts';

/** Cached counts by entry id. Within one list, what is folded into an entry never changes. */
const counted = createSideTable<EntryList, Map<number, number>>();

const countOnce = (list: EntryList, entry: SourcedEntry['entry']): number => {
  const counts = counted.get(list) ?? new Map<number, number>();
  counted.set(list, counts);
  const count = counts.get(entry.id) ?? countFolded(list, entry);
  counts.set(entry.id, count);
  return count;
};

const none: readonly ViewRow[] = [];

/** Returns the row below the first line of a trace that counts its folded lines; none if nothing is folded. */
export const foldRows =
  ({lists}: LogView): ((entry: SourcedEntry) => readonly ViewRow[]) =>
  ({source, entry}) => {
    const list = lists[source];
    const count = entry.kind !== 'line' || list === undefined ? 0 : countOnce(list, entry);
    return count === 0 ? none : [[span(`⋮ ${moreLines(count)} of the trace`, 'dim')]];
  };

/** `1 more line`, `11 more lines`, and above the bound `500+ more lines` */
const moreLines = (count: number): string =>
  count > traceLinesMax ? `${formatCount(traceLinesMax)}+ more lines` : countOf(count, 'more line');
