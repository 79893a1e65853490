import type {SourcedEntry} from '../../log/log-view.ts';
import {sanitiseWord} from '../../log/sanitise.ts';
import {formatMoment} from '../format-time.ts';
import {awayCounts} from '../log/below-rows.ts';
import {isSameEntry, markOn} from '../log/marks.ts';
import {promptCharsMax} from '../prompt.ts';
import type {LogState, State} from '../state.ts';

/** The rows below an entry as sentences, in the order in which they stand there. */
export const readBelow = (state: State, log: LogState, entry: SourcedEntry): readonly string[] => {
  const {away} = log;
  const note = markOn(log, entry)?.note ?? '';
  return [
    ...(note === '' ? [] : [`Your note: ${sanitiseWord(note, promptCharsMax)}`]),
    ...(away?.anchor !== undefined && isSameEntry(away.anchor, entry)
      ? [`You looked away at ${formatMoment(state, away.sinceMs)}; since then ${awayCounts(away)}.`]
      : []),
  ];
};
