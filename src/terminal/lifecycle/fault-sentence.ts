/** Longer messages are cut: a person reads them, and terminal rows are short. */
const messageLengthMax = 300;

/**
 * Returns where an error was thrown, as `file.js:12:3`: only the file's name, because a path reveals details of the
 * machine.
 */
const whereThrown = (error: Error): string | undefined => {
  const frame = error.stack?.split('\n').find(line => /^\s+at /.test(line));
  return frame ? /([^/\\(\s]+:\d+:\d+)\)?$/.exec(frame)?.[1] : undefined;
};

/** Messages may quote foreign text, so anything that could control a terminal becomes a question mark. */
const makeSafe = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/\p{C}/gu, '?').slice(0, messageLengthMax);

/**
 * Describes an unexpected error of the program in one sentence: the error's name and message, where it was thrown, and
 * what to do. No stack, and no other properties: some errors carry requests and responses, which contain secrets.
 */
export const formatFault = (fault: unknown): string => {
  // A thrown value that is not an error has no name, and its text may be anything: only its type is shown.
  const what =
    fault instanceof Error ? `${makeSafe(fault.name)}: ${makeSafe(fault.message)}` : `a thrown ${typeof fault}`;
  const where = fault instanceof Error ? whereThrown(fault) : undefined;
  const place = where === undefined ? '' : ` (at ${makeSafe(where)})`;
  return `branchlog: stopped by a fault of its own: ${what}${place}. Please report it, with what you did last.`;
};
