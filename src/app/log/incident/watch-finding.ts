import {keyFor} from '#app/keys/keymap.ts';
import {type FindingWatch, watchedMs} from '#app/parts/log-parts.ts';
import type {LogState, State} from '#app/state/state.ts';
import {type LogHandler, next, type Step, withLog} from '#app/state/step.ts';
import {recoveryAnswerOf} from '#app/tail/incident-reading.ts';
import type {Tail} from '#app/tail/tail.ts';
import {subjectWords} from '#app/words/incident-words.ts';
import {sliceEntries} from '#log/buffer/buffer.ts';
import {type IncidentFinding, isSameFinding} from '#log/incident/incident-finding.ts';
import {createRecoveryWatch, judgeRecovery, lineTestOf, takeRecoveryAnswer} from '#log/incident/recovery-watch.ts';
import {type Added, asEntries} from '#log/ingest/added.ts';

/** Search limit; a key press waits for this. */
const heldEntriesMax = 5000;

/** Watches whether a finding goes on; if it is watched, ends that. */
export const watchFinding = (state: State, log: LogState, finding: IncidentFinding | undefined): Step => {
  const test = finding && lineTestOf(finding);
  if (finding === undefined || test === undefined) {
    const isNone = log.overlay?.kind === 'incident' && log.overlay.incident?.verdict.kind !== 'found';
    return next({
      ...state,
      notice: isNone ? 'nothing was found that could be watched' : 'only ongoing findings can be watched',
    });
  }
  const {findingWatch} = log;
  if (findingWatch !== undefined && isSameFinding(findingWatch.finding, finding)) {
    return endWatch(state, log);
  }
  return next(withLog(state, {...log, findingWatch: beginWatch(log, finding, test)}));
};

/** Watches from what is held by now. */
export const beginWatch = (
  {sources}: Pick<LogState, 'sources'>,
  finding: IncidentFinding,
  test: NonNullable<ReturnType<typeof lineTestOf>>,
): FindingWatch => {
  const perSource = sources.map(({tail}) => {
    const {buffer} = tail.log;
    const watch = createRecoveryWatch(test, watchedMs);
    return tail.lastAnswerAtMs === undefined
      ? watch
      : takeRecoveryAnswer(
          watch,
          recoveryAnswerOf(tail, {cameMs: tail.lastAnswerAtMs}),
          sliceEntries(buffer, Math.max(0, buffer.entryCount - heldEntriesMax), heldEntriesMax),
        );
  });
  return {finding, name: subjectWords(finding), perSource, againAt: undefined};
};

const endWatch = (state: State, log: LogState): Step =>
  next({
    ...withLog(state, {...log, findingWatch: undefined}),
    notice: `${log.findingWatch?.name} is no longer watched`,
  });

/** Takes the outcome of a poll of a source, and what it added. `again`: what is watched came again just now. */
export const pollForWatch = (
  {findingWatch}: Pick<LogState, 'findingWatch'>,
  {tail, index}: {readonly tail: Tail; readonly index: number},
  added: Added,
): {readonly findingWatch: FindingWatch; readonly isAgain: boolean} | undefined => {
  const before = findingWatch?.perSource[index];
  if (findingWatch === undefined || before === undefined) {
    return undefined;
  }
  const {connection, lastAnswerAtMs: cameMs} = tail;
  const answer = connection.kind === 'live' && cameMs !== undefined ? recoveryAnswerOf(tail, {cameMs}) : undefined;
  const now = takeRecoveryAnswer(before, answer, asEntries(added));
  const isAgain = judgeRecovery(before).verdict === 'gone' && judgeRecovery(now).verdict === 'there';
  const againAt = isAgain ? now.lastMatch?.at : findingWatch.againAt;
  const perSource = findingWatch.perSource.map((each, place) => (place === index ? now : each));
  return {findingWatch: {...findingWatch, perSource, againAt}, isAgain};
};

/** Ends the watch from the log; what to watch is chosen among the findings. */
export const watchKeys: LogHandler = (state, log, command) =>
  command !== 'watchFinding'
    ? undefined
    : log.findingWatch === undefined
      ? next({
          ...state,
          notice: `${keyFor('toggleIncident', 'log')} lists findings; ${keyFor('watchFinding', 'log')} on one watches whether it stopped`,
        })
      : endWatch(state, log);
