import {type Level, levelRank} from '#log/tokens/level-words.ts';
import type {FormPart} from './form.ts';
import {isStatus, levelOfField, type PartName} from './vocabulary.ts';

/** What a piece of a line is. */
export type FieldName = 'time' | 'level' | 'status' | 'method' | 'path' | 'client' | 'logger' | 'key';

/** Whether a level or status reports a problem; `plain` for everything else. */
export type Severity = 'plain' | 'warn' | 'bad';

/** A field of a line: code units `start` up to but not including `end`. */
export type FieldSpan = {
  readonly start: number;
  readonly end: number;
  readonly field: FieldName;
  readonly severity: Severity;
};

/** More than one can tell apart in a row of a wide screen; keeps a line of a thousand keys cheap to draw. */
export const fieldSpansMax = 100;

export const severityOfLevel = (level: Level): Severity => {
  const rank = levelRank(level);
  return rank >= levelRank('error') ? 'bad' : rank === levelRank('warn') ? 'warn' : 'plain';
};

/** Returns the severity of a part's value, consistent with `levelOf`; undefined if it is no such value. */
export const severityOfField = (part: PartName | FormPart, value: string): Severity | undefined => {
  if (part === 'level' || part === 'severityNumber') {
    const level = levelOfField(part, value);
    return level && severityOfLevel(level);
  }
  if (part === 'status') {
    return isStatus(value) ? (value >= '500' ? 'bad' : value >= '400' ? 'warn' : 'plain') : undefined;
  }
  return 'plain';
};
