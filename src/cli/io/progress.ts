import type {Io} from './io.ts';

/** Shorter work needs no word, milliseconds. */
const quietMs = 1_000;
/** So often at most, milliseconds. */
const stepMs = 200;

const clearRow = '\r\x1b[K';

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`;

/**
 * Creates a display on standard error, if that is a terminal, of how much was read, while standard output goes
 * elsewhere. `totalBytes`: how much there is, if that is known.
 */
export const createProgress = ({stdout, stderr, clock}: Io, totalBytes: number | undefined) => {
  const isShown = stderr.isTTY === true && stdout.isTTY !== true;
  let nextMs = clock.monotonicMs() + quietMs;
  let bytesRead = 0;
  let clear = '';
  return {
    note: (bytes: number): void => {
      bytesRead += bytes;
      const nowMs = clock.monotonicMs();
      if (isShown && nowMs >= nextMs) {
        nextMs = nowMs + stepMs;
        const share = totalBytes === undefined ? '' : ` of ${megabytes(totalBytes)}`;
        stderr.write(`${clearRow}branchlog: ${megabytes(bytesRead)}${share} read`);
        clear = clearRow;
      }
    },
    /** Leaves nothing of it on the terminal. */
    end: (): void => {
      stderr.write(clear);
      clear = '';
    },
  };
};
