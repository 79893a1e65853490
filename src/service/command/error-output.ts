import {splitLines} from '../lines/split-lines.ts';

/** Lines of standard error reported per minute; a failing command repeats itself. */
const errorLinesMax = 20;
/** Characters of a line that are reported. */
const errorCharsMax = 500;
const minuteMs = 60_000;

type ErrorOutputOptions = {
  /** Names the command at the start of a sentence. */
  readonly title: string;
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
};

/** Reports what a command prints to standard error as warnings of the service. */
export const createErrorOutput = ({title, monotonicMs, warn}: ErrorOutputOptions) => {
  let partial = Buffer.alloc(0);
  let minuteStartMs = Number.NEGATIVE_INFINITY;
  let linesTold = 0;

  const tell = (line: string): void => {
    if (monotonicMs() - minuteStartMs >= minuteMs) {
      minuteStartMs = monotonicMs();
      linesTold = 0;
    }
    linesTold += 1;
    if (linesTold > errorLinesMax + 1) {
      return;
    }
    const text = line.replaceAll(/\p{Cc}/gu, ' ').slice(0, errorCharsMax);
    warn(
      linesTold > errorLinesMax
        ? `${title} writes more errors: they are omitted for up to a minute.`
        : `${title} writes: ${text}`,
    );
  };

  const split = (bytes: Buffer, atEnd: boolean): void => {
    const all = Buffer.concat([partial, bytes]);
    const {lines, bytesUsed} = splitLines(all, {atEnd});
    partial = Buffer.from(all.subarray(bytesUsed));
    for (const line of lines) {
      tell(line);
    }
  };

  return {
    take: (bytes: Buffer): void => split(bytes, false),
    /** Reports an unterminated last line. */
    end: (): void => split(Buffer.alloc(0), true),
  };
};
