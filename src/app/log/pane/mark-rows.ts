import type {Anchor, LogView, SourcedEntry} from '../../../log/view/log-view.ts';
import {countOf} from '../../../log/words/format-count.ts';
import {viewAll} from '../../state/log-sources.ts';
import type {LogState, Mark, State} from '../../state/state.ts';

/** As many as a reader finds his way among, and a bound on what every frame looks through. */
export const marksMax = 100;

/** Is this the entry that is known by the anchor? */
export const isSameEntry = (anchor: Anchor, {source, entry}: SourcedEntry): boolean =>
  anchor.source === source && anchor.id === entry.id;

/** The mark on an entry, where it has one. */
export const markOn = ({marks}: LogState, entry: SourcedEntry): Mark | undefined =>
  marks.find(({anchor}) => isSameEntry(anchor, entry));

/** The index of an entry in a view; undefined where it is not in it. */
export const placeOf = (view: LogView, anchor: Anchor): number | undefined => {
  const index = view.indexOf(anchor);
  const [entry] = view.slice(index, 1);
  return entry !== undefined && isSameEntry(anchor, entry) ? index : undefined;
};

/** After a window: marks on lines that left the buffer to make room go with them, and that is told. */
export const dropLostMarks = (state: State): State => {
  const {log} = state;
  const marks = log?.marks.filter(({anchor}) => isHeld(log, anchor)) ?? [];
  const lostCount = (log?.marks.length ?? 0) - marks.length;
  return log === undefined || lostCount === 0
    ? state
    : {
        ...state,
        log: {...log, marks},
        notice: `${countOf(lostCount, 'mark')} left the buffer with ${lostCount === 1 ? 'its line' : 'their lines'}`,
      };
};

/** Is an entry still in its buffer? */
const isHeld = (log: LogState, anchor: Anchor): boolean => {
  const leftThrough = log.sources[anchor.source]?.tail.log.buffer.evictedThrough;
  // Of lines of one time only some may have left.
  return leftThrough === undefined || anchor.at > leftThrough || placeOf(viewAll(log), anchor) !== undefined;
};
