import type {Tone} from '../../app/rows/tones.ts';
import {paintTone} from '../../ui/paint-row.ts';
import type {Theme} from '../../ui/theme/theme.ts';
import {wrapWords} from '../format/wrap-words.ts';

/** The result of one check. */
export type Finding = {
  /** `skip`: could not be checked, because an earlier check failed. */
  readonly status: 'ok' | 'warn' | 'FAIL' | 'skip';
  /** What was checked, in a word or two. */
  readonly subject: string;
  /** The result, and for a warning or failure what to do about it. */
  readonly words: string;
  /** The exit code; only failures have one. */
  readonly exitCode?: number;
};

const subjectColumns = 12;
const statusColumns = 4;
/** Rows are wrapped for a terminal of 80 columns. */
const wordColumns = 80 - statusColumns - subjectColumns - 4;

const tones: Readonly<Record<Finding['status'], Tone>> = {ok: 'good', warn: 'warn', FAIL: 'bad', skip: 'dim'};

/** Formats one row, `ok    config       …`, wrapped within its column. The caller must sanitise the words. */
export const formatFinding = ({status, subject, words}: Finding, theme: Theme | undefined): string => {
  const word = status.padEnd(statusColumns);
  const painted = theme === undefined ? word : paintTone(word, tones[status], theme);
  const head = `${painted}  ${subject.padEnd(subjectColumns)}  `;
  const below = ' '.repeat(statusColumns + subjectColumns + 4);
  return `${wrapWords(words, wordColumns)
    .map((row, index) => `${index === 0 ? head : below}${row}`)
    .join('\n')}\n`;
};
