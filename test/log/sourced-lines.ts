import {createBuffer, type LineBuffer} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import type {SourceName} from '#log/line/entry.ts';

/** A line of a source, or a marker where the text is left out. */
export type Written = {readonly text?: string; readonly source?: SourceName};

/** Adds lines a nanosecond apart, from a time on. */
export const addWritten = (buffer: LineBuffer, written: readonly Written[], firstAt = 0): LineBuffer => {
  const edit = editBuffer(buffer);
  for (const [index, {text, source}] of written.entries()) {
    const [id, at] = [edit.takeId(), BigInt(firstAt + index)];
    edit.insert(
      text === undefined
        ? {kind: 'gap', id, at, after: at, before: at}
        : {kind: 'line', id, at, raw: text, textIndex: 0, late: false, ...(source && {source})},
    );
  }
  return edit.finish();
};

/** A log of lines, as texts where nobody says who wrote them. */
export const writtenLog = (...written: readonly (string | Written)[]): LineBuffer =>
  addWritten(
    createBuffer(1e9),
    written.map(each => (typeof each === 'string' ? {text: each} : each)),
  );
