import type {EntryList} from '../../../log/buffer/entry-list.ts';
import {createSideTable} from '../../../log/buffer/side-table.ts';
import {countFolded, traceLinesMax} from '../../../log/traits/trace.ts';
import type {LogView, SourcedEntry} from '../../../log/view/log-view.ts';
import {countOf, formatCount} from '../../../log/words/format-count.ts';
import {span, type ViewRow} from '../../rows/view-row.ts';

/** What was counted, by the ids of entries: what is folded into one never changes in the same list. */
const counted = createSideTable<EntryList, Map<number, number>>();

const countOnce = (list: EntryList, entry: SourcedEntry['entry']): number => {
  const counts = counted.get(list) ?? new Map<number, number>();
  counted.set(list, counts);
  const count = counts.get(entry.id) ?? countFolded(list, entry);
  counts.set(entry.id, count);
  return count;
};

const none: readonly ViewRow[] = [];

/** The row below the first line of a trace that tells how many of its lines are folded away; none where none are. */
export const foldRows =
  ({lists}: LogView): ((entry: SourcedEntry) => readonly ViewRow[]) =>
  ({source, entry}) => {
    const list = lists[source];
    const count = entry.kind !== 'line' || list === undefined ? 0 : countOnce(list, entry);
    return count === 0 ? none : [[span(`⋮ ${moreLines(count)} of the trace`, 'dim')]];
  };

/** `1 more line`, `11 more lines`, and past the bound `500+ more lines` */
const moreLines = (count: number): string =>
  count > traceLinesMax ? `${formatCount(traceLinesMax)}+ more lines` : countOf(count, 'more line');
