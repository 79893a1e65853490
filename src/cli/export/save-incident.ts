import {formatIncident, type NotedMark} from '../../app/export/incident-note.ts';
import {createTally, type Tally} from '../../app/export/tally.ts';
import {batchesOf, type Scope} from '../../app/parts/scope.ts';
import type {SaveRequest} from '../../app/state/exporter.ts';
import type {Mark} from '../../app/state/state.ts';
import {countOf} from '../../log/words/format-count.ts';
import {openNewFile} from './new-file.ts';
import type {SaveJob} from './save-lines.ts';
import {createSlices} from './text-pieces.ts';

/** Entries shown before and after a marked line. */
const aroundEntries = 5;

/** Saves an incident note. Returns what was saved. */
export const saveIncident = async ({request, path, signal, progress, version}: SaveJob): Promise<string> => {
  const {scope, facts, incident} = request;
  const tally = await countScope(scope, signal, progress);
  const marks = await noteMarks(request);
  signal.throwIfAborted();
  const file = await openNewFile(path);
  try {
    await file.write(formatIncident({facts, tally, chosen: scope.chosen, marks, incident, version}));
    await file.finish();
    signal.throwIfAborted();
    await file.publish();
    return `a note of ${countOf(marks.length, 'mark')} and ${countOf(tally.markers.length, 'marker')}`;
  } catch (error) {
    await file.discard();
    throw error;
  }
};

const countScope = async (scope: Scope, signal: AbortSignal, progress: (share: number) => void): Promise<Tally> => {
  const tally = createTally();
  const slices = createSlices();
  let doneCount = 0;
  for (const entries of batchesOf(scope)) {
    signal.throwIfAborted();
    tally.take(entries);
    doneCount += entries.length;
    progress(doneCount / (scope.end - scope.first));
    await slices.share();
  }
  return tally.result();
};

/**
 * Returns the marks by time; with a selection, only those within it. Around each, the note shows the log unfiltered.
 */
const noteMarks = async ({scope, marks, all}: SaveRequest): Promise<readonly NotedMark[]> => {
  const slices = createSlices();
  const noted: NotedMark[] = [];
  for (const mark of marks.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))) {
    if (scope.chosen !== 'picked' || isPicked(scope, mark)) {
      const index = all.indexOf(mark.anchor);
      const first = Math.max(0, index - aroundEntries);
      const around = all.slice(first, index + aroundEntries + 1 - first);
      noted.push({at: mark.at, source: mark.anchor.source, note: mark.note, around});
    }
    await slices.share();
  }
  return noted;
};

const isPicked = ({view, first, end}: Scope, {anchor}: Mark): boolean => {
  const index = view.indexOf(anchor);
  return index >= first && index < end;
};
