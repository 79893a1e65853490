import type {Tone} from '../../app/rows/tones.ts';
import {paint} from '../../ui/paint-row.ts';
import type {Theme} from '../../ui/theme/theme.ts';
import {wrapWords} from '../format/wrap-words.ts';

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

const tones: Readonly<Record<Finding['status'], Tone>> = {ok: 'good', warn: 'warn', FAIL: 'bad', skip: 'dim'};

/** One row, `ok    config       …`, wrapped below itself. The words are made safe by the caller. */
export const formatFinding = ({status, subject, words}: Finding, theme: Theme | undefined): string => {
  const painted = paint(status.padEnd(statusColumns), theme?.(tones[status]) ?? '');
  const head = `${painted}  ${subject.padEnd(subjectColumns)}  `;
  const below = ' '.repeat(statusColumns + subjectColumns + 4);
  return `${wrapWords(words, wordColumns)
    .map((row, index) => `${index === 0 ? head : below}${row}`)
    .join('\n')}\n`;
};
