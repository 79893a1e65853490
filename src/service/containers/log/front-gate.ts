import type {LogLine} from '../log-lines.ts';

/**
 * Creates what holds the lines of a tail until it is known whether the first one is the rest of a long line: of a read
 * of so many `tailLines`, in pieces of lines; undefined: of no tail, and all lines pass.
 * With more than half as many lines, the log may be longer: the first line is left out, and `onCut` is called.
 */
export const createFrontGate = (tailLines: number | undefined, onCut: () => void) => {
  let held: LogLine[] | undefined = tailLines === undefined ? undefined : [];
  let isWhole = false;

  const settle = (): readonly LogLine[] => {
    const lines = held ?? [];
    isWhole ||= held !== undefined && lines.length * 2 <= Number(tailLines);
    const isCut = held !== undefined && !isWhole;
    held = undefined;
    if (isCut) {
      onCut();
    }
    return isCut ? lines.slice(1) : lines;
  };

  return {
    /** Returns the lines that may pass. */
    take: (lines: readonly LogLine[]): readonly LogLine[] => {
      if (!held) {
        return lines;
      }
      for (const line of lines) {
        held.push(line);
      }
      return held.length >= Number(tailLines) ? settle() : [];
    },
    /** No more come for now. Returns what was held; later lines all pass. */
    settle,
    /** The log begins with the first line that passed. */
    isWhole: (): boolean => isWhole,
  };
};
