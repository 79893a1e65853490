/** Longer messages are cut: they are for a person, and a row of a terminal is short. */
const messageLengthMax = 300;

/** Where an error was thrown, as `file.js:12:3`: the file's name only, because a path tells of the machine. */
const whereThrown = (error: Error): string | undefined => {
  const frame = error.stack?.split('\n').find(line => /^\s+at /.test(line));
  return frame ? /([^/\\(\s]+:\d+:\d+)\)?$/.exec(frame)?.[1] : undefined;
};

/** Messages may quote what came from outside, so whatever could steer a terminal becomes a question mark. */
const makeSafe = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/\p{C}/gu, '?').slice(0, messageLengthMax);

/**
 * One sentence for a person about a fault of the program itself: the error's name and message, where it was thrown, and
 * what to do. No stack, and nothing else that the error carries: requests and answers hang on some, and they hold secrets.
 *
 * `redact` is asked last, with the whole sentence, to take known secrets out.
 */
export const formatFault = (fault: unknown, redact: (text: string) => string = text => text): string => {
  // What is no error has no name, and its text may be anything; its kind must do.
  const what =
    fault instanceof Error ? `${makeSafe(fault.name)}: ${makeSafe(fault.message)}` : `a thrown ${typeof fault}`;
  const where = fault instanceof Error ? whereThrown(fault) : undefined;
  const place = where === undefined ? '' : ` (at ${makeSafe(where)})`;
  return redact(`branchlog: stopped by a fault of its own: ${what}${place}. Please report it, with what you did last.`);
};
