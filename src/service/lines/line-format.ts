import {parseContainerLine} from './container-line.ts';
import {fingerprintBytesMax} from './fingerprint.ts';
import {splitLines} from './split-lines.ts';
import type {LineFormat} from './stream-stamps.ts';

const isContainerLine = (line: string): boolean => parseContainerLine(line) !== undefined;

/** Splits a file's first bytes into lines; if a single line is longer than them, the part that is there counts. */
const splitHead = (head: Buffer): readonly string[] => {
  const {lines, bytesUsed} = splitLines(head, {atEnd: false});
  if (lines.length > 0 || head.length < fingerprintBytesMax || bytesUsed === head.length) {
    return lines;
  }
  return splitLines(head, {atEnd: true}).lines;
};

/**
 * Determines the format of a file from its first bytes, never from later lines, which anyone may have forged: the first
 * lines of a container file are all container lines. `lines` decide if the first bytes contain no text. A container
 * file is settled once its first `fingerprintBytesMax` bytes are known, a plain one at once.
 */
export const tellFormat = (
  head: Buffer,
  lines: readonly string[],
): {readonly format: LineFormat; readonly isSettled: boolean} => {
  const first = splitHead(head);
  const isContainer = (first.length > 0 ? first : lines).every(isContainerLine);
  return {format: isContainer ? 'container' : 'plain', isSettled: !isContainer || head.length >= fingerprintBytesMax};
};
