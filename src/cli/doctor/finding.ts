import {wrapWords} from '../wrap-words.ts';

/** What one check of the doctor came to. */
export type Finding = {
  /** `skip`: it could not be checked, since something before it failed. */
  readonly status: 'ok' | 'warn' | 'FAIL' | 'skip';
  /** What was checked, a word or two. */
  readonly subject: string;
  /** What was found, and for a warning or failure what to do. */
  readonly words: string;
  /** The exit code of its class; only failures have one. */
  readonly exitCode?: number;
};

const subjectColumns = 12;
const statusColumns = 4;
/** Rows fit a terminal of 80 columns. */
const wordColumns = 80 - statusColumns - subjectColumns - 4;

const styles: Readonly<Record<Finding['status'], string>> = {ok: '32', warn: '33', FAIL: '31', skip: '2'};

/** One row, `ok    config       …`, wrapped below itself. The words are made safe by the caller. */
export const formatFinding = ({status, subject, words}: Finding, hasColour: boolean): string => {
  const padded = status.padEnd(statusColumns);
  const head = `${hasColour ? `\x1b[${styles[status]}m${padded}\x1b[0m` : padded}  ${subject.padEnd(subjectColumns)}  `;
  const below = ' '.repeat(statusColumns + subjectColumns + 4);
  return `${wrapWords(words, wordColumns)
    .map((row, index) => `${index === 0 ? head : below}${row}`)
    .join('\n')}\n`;
};
