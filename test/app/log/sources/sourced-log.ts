import {takeTail} from '../../../../src/app/log/take-tail.ts';
import type {State} from '../../../../src/app/state/state.ts';
import {editBuffer} from '../../../../src/log/buffer/buffer-edit.ts';
import type {GapMarker} from '../../../../src/log/line/entry.ts';
import {parseInstant} from '../../../../src/log/line/instant.ts';
import type {SourceName} from '../../../../src/log/line/source-name.ts';

/** A line of a source at a second after 14:00:00. */
export type SourcedLine = readonly [second: number, source: SourceName | undefined, text: string];

export const at = (second: number): string =>
  `2026-11-21T14:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}.000000000Z`;

const instantOf = (second: number): bigint => parseInstant(at(second)) ?? 0n;

/** Adds lines and gaps to a branch's log, as the engine does. */
export const withSourced = (
  state: State,
  lines: readonly SourcedLine[],
  gaps: readonly Partial<GapMarker>[] = [],
  branchIndex = 0,
): State => {
  const {log} = state;
  const source = log?.sources[branchIndex];
  if (log === undefined || source === undefined) {
    return state;
  }
  const edit = editBuffer(source.tail.log.buffer);
  for (const [second, name, text] of lines) {
    const stamp = at(second);
    edit.insert({
      kind: 'line',
      id: edit.takeId(),
      at: instantOf(second),
      raw: `${stamp} ${text}`,
      textIndex: stamp.length + 1,
      late: false,
      ...(name === undefined ? {} : {source: name}),
    });
  }
  for (const gap of gaps) {
    const [after, before] = [gap.after ?? instantOf(1), gap.before ?? instantOf(2)];
    edit.insert({kind: 'gap', id: edit.takeId(), at: before, after, before, ...gap});
  }
  const tail = {...source.tail, log: {...source.tail.log, buffer: edit.finish()}};
  return {...state, log: takeTail(log, source.branch._id, tail)};
};
