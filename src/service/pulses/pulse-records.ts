import {type Pulse, pulseMinuteMs} from '#log/overview/pulse.ts';

const formatTime = (ms: number): string => new Date(ms).toISOString();

/** Offers the operation, in an answer with branches. */
export const pulsesHeaderName = 'branchlog-pulses';

/** Returns the answer of the pulses operation (docs/serve.md, "Errors of all branches"). */
export const pulseRecords = (pulses: ReadonlyMap<string, Pulse>) =>
  [...pulses].map(([_id, {toMs, spanMs, lines, errors, minutes, lastError, lastLineMs}]) => ({
    _id,
    seenUntil: formatTime(toMs),
    seenMs: spanMs,
    lines,
    errors,
    minutes: minutes.map(({minute, seenMs, ...counts}) => ({
      from: formatTime(minute * pulseMinuteMs),
      seenMs,
      ...counts,
    })),
    lastLine: lastLineMs === undefined ? null : formatTime(lastLineMs),
    lastError: lastError ? {time: formatTime(lastError.atMs), text: lastError.text} : null,
  }));
