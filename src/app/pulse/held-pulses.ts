import type {LogSource, State} from '#app/state/state.ts';
import type {KnownPulse} from '#app/tail/known-pulse.ts';
import {joinPulses, pulseOfBuffer} from '#log/overview/pulse.ts';

/** Counts the logs that are held in memory: they are polled, so nobody has to look at them. */
export const countHeldPulses = (before: State, state: State): State => {
  const {branches, held} = state;
  if (branches?.looks === undefined || held === before.held) {
    return state;
  }
  const known = new Set(before.held.map(({log}) => log));
  const changed = held.filter(({log}) => log.siteId === branches.siteId && !known.has(log));
  if (changed.length === 0) {
    return state;
  }
  const pulses = new Map(branches.pulses);
  for (const source of changed.flatMap(({log}) => log.sources)) {
    const found = pulseOfSource(source, pulses.get(source.branch._id), state.clockOffsetMs);
    if (found !== undefined) {
      pulses.set(source.branch._id, found);
    }
  }
  return {...state, branches: {...branches, pulses}};
};

const pulseOfSource = (
  {tail}: LogSource,
  before: KnownPulse | undefined,
  clockOffsetMs: number,
): KnownPulse | undefined => {
  const {lastAnswerAtMs, connection, log, polls} = tail;
  const last = polls.latest.at(-1);
  if (lastAnswerAtMs === undefined || last === undefined) {
    return before;
  }
  const pulse = joinPulses(before?.pulse, pulseOfBuffer(log.buffer, lastAnswerAtMs + clockOffsetMs));
  const counted = {pulse, countedAtMs: lastAnswerAtMs, lookedAtMs: last.atMs};
  return connection.kind === 'failing' && last.kind === 'failed'
    ? {...counted, failure: {errorKind: connection.errorKind, status: last.status, message: connection.message}}
    : counted;
};
