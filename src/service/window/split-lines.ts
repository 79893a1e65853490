import {lineBytesMax, pieceBytesMin} from '#log/window/pieces.ts';

/** Ends a line that was truncated. */
const truncatedWords = ' … (truncated at 64 KB)';

/** As many bytes of an unterminated line prove that it is too long, even if CRLF follows. */
export const tooLongBytes = lineBytesMax + 2;

const newline = 0x0a;
const carriageReturn = 0x0d;

/** A hole is passed over by as many bytes at a time. */
const nuls = Buffer.alloc(4096);
/** U+FEFF as UTF-8: the byte order mark with which some programs begin a file. */
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Returns where the text of a line begins: after NULs and a byte order mark. */
const findTextStart = (bytes: Buffer, from: number, to: number): number => {
  let index = from;
  while (to - index >= nuls.length && nuls.compare(bytes, index, index + nuls.length) === 0) {
    index += nuls.length;
  }
  while (index < to && bytes[index] === 0) {
    index += 1;
  }
  const afterMark = index + byteOrderMark.length;
  const isMarked =
    bytes[index] === byteOrderMark[0] && byteOrderMark.compare(bytes, index, Math.min(to, afterMark)) === 0;
  return isMarked ? afterMark : index;
};

/** Moves a cut so that it is not inside a UTF-8 sequence, which has at most three continuation bytes. */
export const cutBefore = (bytes: Buffer, index: number): number => {
  for (let back = 0; back < 4; back += 1) {
    if (((bytes[index - back] ?? 0) & 0xc0) !== 0x80) {
      return index - back;
    }
  }
  return index;
};

/** Cuts a text that is too long into pieces; a shorter one is the only one. */
export const cutText = (text: string): readonly string[] => {
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  let from = 0;
  while (bytes.length - from >= pieceBytesMin) {
    const cut = cutBefore(bytes, Math.min(bytes.length, from + lineBytesMax));
    pieces.push(bytes.toString('utf8', from, cut));
    from = cut;
  }
  return [...pieces, bytes.toString('utf8', from)];
};

const countDecoded = (bytes: Buffer, from: number, to: number): number =>
  Buffer.byteLength(bytes.toString('utf8', from, to));

/** Finds the end of a piece of a longer line. What is not UTF-8 has more bytes once it is decoded. */
const findPieceEnd = (bytes: Buffer, from: number): number => {
  const end = cutBefore(bytes, from + lineBytesMax);
  let [fits, exceeds] = [from, end];
  if (countDecoded(bytes, from, end) <= lineBytesMax) {
    return end;
  }
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2);
    if (countDecoded(bytes, from, middle) <= lineBytesMax) {
      fits = middle;
    } else {
      exceeds = middle;
    }
  }
  const cut = cutBefore(bytes, fits);
  return countDecoded(bytes, from, cut) >= pieceBytesMin ? cut : fits;
};

/**
 * Splits bytes that begin at the start of a line into complete lines. An unterminated last line is left for later, or
 * emitted with `atEnd`, when nothing more can come. LF and CRLF end a line; invalid UTF-8 becomes U+FFFD. NUL bytes at
 * the start of a line are dropped: a writer that does not append leaves a hole of them, possibly gigabytes, when its
 * file is truncated. So is a byte order mark there: it begins a file, also one that was appended to another. Lines are
 * decoded one by one, so that none keeps the whole block alive. A line that is too long comes in pieces, the last of
 * which may be empty. `truncates`: nothing of it comes before its end, and then its beginning alone. `isWhole`: no line
 * is too long.
 */
export const splitLines = (
  bytes: Buffer,
  {
    atEnd,
    truncates = false,
    isWhole = false,
  }: {readonly atEnd: boolean; readonly truncates?: boolean; readonly isWhole?: boolean},
): {readonly lines: readonly string[]; readonly bytesUsed: number} => {
  const lines: string[] = [];
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(newline, start);
    const end = found === -1 ? bytes.length : found;
    let from = findTextStart(bytes, start, end);
    const isComplete = found !== -1 || atEnd;
    const textEnd = isComplete && end > from && bytes[end - 1] === carriageReturn ? end - 1 : end;
    if (truncates && isComplete && textEnd - from > lineBytesMax) {
      lines.push(bytes.toString('utf8', from, cutBefore(bytes, from + lineBytesMax)) + truncatedWords);
      start = found === -1 ? end : end + 1;
      continue;
    }
    if (!isComplete) {
      while (!truncates && !isWhole && end - from >= tooLongBytes) {
        const cut = findPieceEnd(bytes, from);
        lines.push(bytes.toString('utf8', from, cut));
        from = cut;
      }
      return {lines, bytesUsed: from};
    }
    if (found !== -1 || textEnd > from) {
      const text = bytes.toString('utf8', from, textEnd);
      if (isWhole || text.length * 3 < pieceBytesMin) {
        lines.push(text);
      } else {
        lines.push(...cutText(text));
      }
    }
    start = found === -1 ? end : end + 1;
  }
  return {lines, bytesUsed: start};
};

/** Returns the text of a line that ends with a newline. What is to be left out at its beginning is rare. */
export const readWholeLine = (bytes: Buffer, from: number, end: number): string => {
  const first = bytes[from];
  if (first === 0 || first === byteOrderMark[0]) {
    return splitLines(bytes.subarray(from, end), {atEnd: true, isWhole: true}).lines[0] ?? '';
  }
  const isCrLf = end - from > 1 && bytes[end - 2] === carriageReturn;
  return bytes.toString('utf8', from, isCrLf ? end - 2 : end - 1);
};

/**
 * Yields the whole lines of blocks, in pieces that hold until the next ones are asked for. A block need hold only until
 * the next one is. What has no newline at the end gets one.
 */
export const wholeLines = async function* (blocks: AsyncIterable<Buffer>): AsyncGenerator<readonly Buffer[]> {
  let partial: readonly Buffer[] = [];
  for await (const block of blocks) {
    const end = block.lastIndexOf(newline) + 1;
    if (end > 0) {
      yield [...partial, block.subarray(0, end)];
      partial = [];
    }
    if (end < block.length) {
      partial = [...partial, Buffer.from(block.subarray(end))];
    }
  }
  if (partial.length > 0) {
    yield [...partial, Buffer.from('\n')];
  }
};

/** Returns how many bytes at the end are the beginning of a UTF-8 sequence. */
const countCutBytes = (bytes: Buffer): number => {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) !== 0x80) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
      return length > back ? back : 0;
    }
  }
  return 0;
};

/** Reads what there is of a line without its end, empty if nothing can be shown, and how many bytes that took. */
export const readUnfinished = (partial: Buffer): {readonly text: string; readonly bytesUsed: number} => {
  const end = cutBefore(partial, Math.min(partial.length, lineBytesMax));
  const bytesUsed = end - countCutBytes(partial.subarray(0, end));
  return {text: partial.toString('utf8', 0, bytesUsed).replace(/^\0+/, '').replace(/\r$/, ''), bytesUsed};
};

/** Leaves out the end of a line that was shown before its end came: nothing is left of it. `tail`: what was read. */
export const leaveOutEnd = (lines: readonly string[], tail: Buffer): readonly string[] =>
  lines[0] === '' && tail.length > 0 && tail.at(-1) !== newline ? lines.slice(1) : lines;
