import {parseContainerLine} from './container-line.ts';
import {fingerprintBytesMax} from './fingerprint.ts';
import {splitLines} from './split-lines.ts';
import type {LineFormat} from './stream-stamps.ts';

const isContainerLine = (line: string): boolean => parseContainerLine(line) !== undefined;

/** The lines of a file's first bytes; a single line that is longer than them counts with what is there. */
const splitHead = (head: Buffer): readonly string[] => {
  const {lines, bytesUsed} = splitLines(head, {atEnd: false});
  if (lines.length > 0 || head.length < fingerprintBytesMax || bytesUsed === head.length) {
    return lines;
  }
  return splitLines(head, {atEnd: true}).lines;
};

/**
 * Tells the format of a file from its first bytes, never from lines further on, which anyone may have forged: a
 * container file's first lines are all container lines. `lines` decide where the first bytes hold no text.
 * A container file is settled once its first `fingerprintBytesMax` bytes are known, a plain one at once.
 */
export const tellFormat = (
  head: Buffer,
  lines: readonly string[],
): {readonly format: LineFormat; readonly isSettled: boolean} => {
  const first = splitHead(head);
  const isContainer = (first.length > 0 ? first : lines).every(isContainerLine);
  return {format: isContainer ? 'container' : 'plain', isSettled: !isContainer || head.length >= fingerprintBytesMax};
};
