import {entryAt, type LineBuffer} from '#log/buffer/buffer.ts';
import {timeAt} from '#log/buffer/chunk.ts';
import {markersOf} from '#log/buffer/markers-of.ts';
import {textOf} from '#log/line/entry.ts';
import {instantFromMs, instantToMs} from '#log/line/instant.ts';
import {errorOffsetsOf, errorTimesOf} from '#log/traits/error-lines.ts';
import {errorCharsMax, type Pulse, type PulseError, pulseMinuteMs, pulseMinutesMax} from '../overview/pulse.ts';
import {pulseOfTimes} from './pulse-of-times.ts';

/**
 * Counts the newest lines of a log in memory, from its last gap on. `toMs`: when the log was last asked for, by the
 * service's clock, milliseconds since 1970.
 */
export const pulseOfBuffer = (buffer: LineBuffer, toMs: number): Pulse => {
  const fromAt = instantFromMs(toMs - pulseMinutesMax * pulseMinuteMs);
  const recent = buffer.chunks.filter(({lastAt}) => lastAt >= fromAt);
  const gap = recent
    .flatMap(markersOf)
    .map(({marker}) => marker)
    .findLast(marker => marker.kind === 'gap');
  const [oldest] = buffer.chunks;
  const times = recent.flatMap(chunk => {
    const markers = new Set(markersOf(chunk).map(({offset}) => offset));
    const all = Array.from({length: chunk.entryCount}, (_, offset) => timeAt(chunk, offset) ?? fromAt);
    return all.filter((_, offset) => !markers.has(offset));
  });
  return pulseOfTimes({
    // The newest line stands for all, if there is none in these minutes.
    times: times.length > 0 ? times.map(instantToMs) : buffer.newestLine ? [instantToMs(buffer.newestLine.at)] : [],
    errorTimes: recent.flatMap(errorTimesOf).map(instantToMs),
    lastError: lastErrorOf(buffer),
    fromMs: gap ? instantToMs(gap.before) : oldest && instantToMs(oldest.firstAt),
    toMs,
  });
};

const lastErrorOf = (buffer: LineBuffer): PulseError | undefined => {
  const index = buffer.chunks.findLastIndex(chunk => errorOffsetsOf(chunk).length > 0);
  const chunk = buffer.chunks[index];
  const offset = chunk && errorOffsetsOf(chunk).at(-1);
  const entry = offset === undefined ? undefined : entryAt(buffer, (buffer.starts[index] ?? 0) + offset);
  return entry?.kind === 'line'
    ? {atMs: instantToMs(entry.at), text: textOf(entry).slice(0, errorCharsMax)}
    : undefined;
};
