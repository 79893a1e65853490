import {describeStatus} from '../app/describe-status.ts';
import type {Tone} from '../app/tones.ts';
import type {Cell} from './format-table.ts';

const styleByTone: Partial<Readonly<Record<Tone, string>>> = {good: '32', bad: '31', busy: '33', dim: '2'};

/** The status of a branch as a table shows it: the same words and colours as in the terminal UI. */
export const formatStatus = (status: string | null): Cell => {
  const {words, tone} = describeStatus(status);
  const style = styleByTone[tone];
  return style === undefined ? {text: words} : {text: words, style};
};
