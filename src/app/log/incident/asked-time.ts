import type {LogSource, LogState, State} from '#app/state/state.ts';
import {serviceNowMs} from '#app/words/format-time.ts';
import type {Asked} from '#log/incident/verdict.ts';
import {instantFromMs, instantToMs} from '#log/line/instant.ts';

/** A line so much older than its arrival is of a log that was silent when it was opened, milliseconds. */
const silentMsMin = 30_000;

type Clock = Pick<State, 'nowMs' | 'clockOffsetMs' | 'context'>;

/** Returns of what time the incident tells: that which is filtered by, else all that is held, up to now or its end. */
export const askedOf = (state: Clock, {range, areFiltersOff, sources, newest}: LogState): Asked => {
  const hasEnded = newest !== undefined || sources.every(source => isAtEnd(state, source));
  return {
    ...(areFiltersOff === true ? undefined : range),
    now: hasEnded ? undefined : instantFromMs(serviceNowMs(state)),
  };
};

/** Whether nothing writes to a log any more. What a service serves goes on; what was opened by name need not. */
const isAtEnd = ({context, clockOffsetMs}: Clock, {tail}: LogSource): boolean => {
  const {connection, firstAnswerAtMs, lastNewLineAtMs, log} = tail;
  if (connection.kind === 'ended') {
    return true;
  }
  const arrivedAtMs = lastNewLineAtMs ?? firstAnswerAtMs;
  const newest = log.buffer.newestLine;
  if (context.parts !== 'none' || arrivedAtMs === undefined || newest === undefined) {
    return false;
  }
  return log.pods.length === 0 || arrivedAtMs + clockOffsetMs - instantToMs(newest.at) > silentMsMin;
};
