import {fillMsOf} from '../../log/merge/pace.ts';
import {countOf, formatCount} from '../../log/words/format-count.ts';
import type {Tail} from '../tail/tail.ts';

/**
 * Describes how the windows fit the log's rate: `window 1,000 lines ≈ 38 s, 19 polls a window`. Uses the highest
 * recent rate.
 */
export const describePace = ({pace, polls, log}: Pick<Tail, 'pace' | 'polls' | 'log'>): string => {
  const latest = polls.latest.findLast(poll => poll.kind === 'good');
  if (latest === undefined) {
    return 'no window yet';
  }
  const window = `window ${countOf(log.numbered?.windowLines ?? log.before?.lines.length ?? 0, 'line')}`;
  const fillMs = fillMsOf(pace);
  if (!Number.isFinite(fillMs)) {
    return `${window}, nothing new since the first`;
  }
  const pollCount = Math.floor(fillMs / latest.nextPollInMs);
  const often = pollCount < 1 ? 'less than a poll a window' : `${countOf(pollCount, 'poll')} a window`;
  return `${window} ≈ ${formatFill(fillMs)}, ${often}`;
};

const formatFill = (ms: number): string => {
  const seconds = ms / 1000;
  if (seconds < 10) {
    return `${seconds.toFixed(1)} s`;
  }
  if (seconds < 600) {
    return `${Math.round(seconds)} s`;
  }
  return seconds < 36_000 ? `${Math.round(seconds / 60)} min` : `${formatCount(Math.round(seconds / 3600))} h`;
};
