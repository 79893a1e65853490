import type {LogState, State} from '#app/state/state.ts';
import {withLog} from '#app/state/step.ts';
import {formatLogTime} from '#app/words/format-time.ts';
import {countLinesFrom} from '#app/words/marker-words.ts';
import {indexAtOrAfter} from '#log/buffer/buffer.ts';
import type {Instant} from '#log/line/instant.ts';
import {countErrorsFrom} from '#log/overview/find-in-log.ts';
import {cutToCells} from '#log/text/cut.ts';
import {countOf} from '#log/words/format-count.ts';

/** A finding is named in so many cells. */
const nameCells = 40;

/**
 * Says in one line what is open since the last session: what came, what is watched, what the guard told, and marks;
 * nothing where that is nothing. Follows what comes until the next key, which takes it away. What was said before is
 * said after it.
 */
export const tellSince = (state: State): State => {
  const {log} = state;
  if (log?.sinceLast === undefined || log.recollection.kind !== 'recalled') {
    return state;
  }
  const {seenAt, guardTold, told} = log.sinceLast;
  const {findingWatch, marks, recollection} = log;
  const open = [
    ...(seenAt === undefined ? [] : cameWords(state, log, seenAt)),
    ...(findingWatch === undefined ? [] : [`watched: ${cutToCells(findingWatch.name, nameCells)}`]),
    ...(guardTold === 0 ? [] : [`the guard told ${guardTold === 1 ? 'once' : `${guardTold} times`}`]),
  ];
  const markCount = marks.length + recollection.unplacedMarks.length;
  const words = [...open, ...(open.length > 0 && markCount > 0 ? [countOf(markCount, 'mark')] : [])].join('; ');
  const rest = told !== undefined && state.notice === told.notice ? told.rest : state.notice;
  if (words === '') {
    return state;
  }
  const notice = rest === undefined ? words : `${words}; ${rest}`;
  return notice === told?.notice && notice === state.notice
    ? state
    : {...withLog(state, {...log, sinceLast: {...log.sinceLast, told: {notice, rest}}}), notice};
};

/** Counts what is later than the newest line of the last session: by the times of lines, so late ones are not in it. */
const cameWords = (state: State, {sources: [{tail}]}: LogState, seenAt: Instant): readonly string[] => {
  const {buffer} = tail.log;
  const from = indexAtOrAfter(buffer, seenAt + 1n);
  const lineCount = countLinesFrom(buffer, from);
  const errorCount = countErrorsFrom(buffer, from);
  const errors = errorCount === 0 ? '' : `, ${countOf(errorCount, 'error')}`;
  // What came before the first line that is held is not known.
  const least = from === 0 ? 'at least ' : '';
  return lineCount === 0
    ? []
    : [`since ${formatLogTime(state, seenAt)}: ${least}${countOf(lineCount, 'line')}${errors}`];
};
