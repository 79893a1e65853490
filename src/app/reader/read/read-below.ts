import {sanitiseWord} from '../../../log/text/sanitise.ts';
import type {SourcedEntry} from '../../../log/view/log-view.ts';
import {awayCounts} from '../../log/pane/below-rows.ts';
import {isSameEntry, markOn} from '../../log/pane/mark-rows.ts';
import {promptCharsMax} from '../../parts/prompt.ts';
import type {LogState, State} from '../../state/state.ts';
import {formatMoment} from '../../words/format-time.ts';

/** Returns the rows below an entry as sentences, in the same order. */
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
