import {createBuffer, type LineBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {allBounds, type LogEvents, type ReadBounds, readEvents} from '#log/incident/findings/read-events.ts';
import type {SourceName} from '#log/line/entry.ts';
import {type Instant, instantFromMs} from '#log/line/instant.ts';
import {finishWork} from '#log/work.ts';

export type TimedLine = readonly [second: number, text: string, source?: SourceName];

/** So many seconds after 14:00. */
export const atSecond = (second: number): Instant =>
  instantFromMs(Date.UTC(2026, 10, 21, 14)) + BigInt(Math.round(second * 1e9));

/** A log of lines in any order. */
export const timedLog = (lines: readonly TimedLine[]): LineBuffer => {
  const edit = editBuffer(createBuffer(1e9));
  for (const [second, raw, source] of lines.toSorted(([a], [b]) => a - b)) {
    edit.insert({
      kind: 'line',
      id: edit.takeId(),
      at: atSecond(second),
      raw,
      textIndex: 0,
      late: false,
      ...(source && {source}),
    });
  }
  return edit.finish();
};

export const eventsOf = (
  lines: readonly TimedLine[],
  podNames: readonly string[] = [],
  bounds: ReadBounds = allBounds,
): LogEvents => finishWork(readEvents([timedLog(lines)], podNames, bounds));

/** So many lines of one text, so many seconds apart. */
export const linesEvery = (
  step: number,
  from: number,
  to: number,
  text: string | ((index: number) => string),
  source?: SourceName,
): readonly TimedLine[] =>
  Array.from({length: Math.ceil((to - from) / step)}, (_, index): TimedLine => {
    const [at, raw] = [from + index * step, typeof text === 'string' ? text : text(index)];
    return source === undefined ? [at, raw] : [at, raw, source];
  });
