import type {LogLine} from '../log-lines.ts';
import type {LogReadEnd} from './log-read.ts';
import type {SeenLines} from './seen-lines.ts';

/**
 * Takes the last line of a log that has ended although no newline ended it: if it was seen, or if two reads in a row
 * end with it. Returns whether nothing else is left.
 */
export type TakeRest = (end: LogReadEnd, take: (lines: readonly LogLine[]) => void) => boolean;

/** Creates what takes such lines of one log, read after read. */
export const createRestTaker = (seen: SeenLines): TakeRest => {
  let before: string | undefined;
  return (end, take) => {
    const rest = end.kind === 'clean' ? end.rest : [];
    if (rest.length === 0) {
      return true;
    }
    const text = rest.map(({line}) => line).join('\n');
    const isSame = text === before || rest.every(line => seen.has(line));
    before = text;
    if (isSame) {
      take(rest);
    }
    return isSame;
  };
};
