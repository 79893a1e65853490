import type {HandOverRequest} from '#app/export/exporter.ts';
import {viewAll} from '#app/state/log-sources.ts';
import type {LogState, State} from '#app/state/state.ts';
import {maskSecrets} from '#base/secret.ts';
import type {RememberedMark} from '#log/overview/log-memory.ts';
import {rowToHold} from './hold-row.ts';
import {placeOf} from './mark-rows.ts';
import {hashLine} from './marking.ts';
import {toMemory} from './memory.ts';

/** Gathers what a hand-over has besides its lines: what the reader made of the log, and where they are in it. */
export const gatherHandOver = (state: State, log: LogState): HandOverRequest => ({
  logs: log.sources.map(({branch, tail, shapes}) => ({branch, tail, learnedUntil: shapes.learnedUntil})),
  memory: {...toMemory(state, log), marks: maskedMarks(log)},
  place: {
    top: log.viewport.kind === 'paused' ? log.viewport.top : undefined,
    cursor: log.cursor?.anchor,
    held: rowToHold(state, log),
  },
});

/** A line is masked before it is written, and a mark knows it by what it says then. */
const maskedMarks = (log: LogState): readonly RememberedMark[] => {
  const view = viewAll(log);
  return log.marks.map(({anchor, at, note}) => {
    const index = placeOf(view, anchor);
    const [{entry} = {}] = index === undefined ? [] : view.slice(index, 1);
    const lineHash = entry?.kind === 'line' ? hashLine(maskSecrets(entry.raw).slice(entry.textIndex)) : undefined;
    return {at, lineHash, note};
  });
};
