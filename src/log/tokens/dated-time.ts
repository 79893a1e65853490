import {findTimeEnd} from './find-tokens.ts';
import {readWritten, type WrittenTime} from './written-time.ts';

/** A level, a process or a logger may precede the time. Further on, a date is more likely what the line is about. */
const beforeCharsMax = 40;
/** The longest form, with nine decimals and the name of a zone. */
const timeCharsMax = 56;

/** Characters of a line that decide whether a time with its date is at or near its start. */
const datedCharsMax = beforeCharsMax + timeCharsMax;

/** Where a time may begin: the start, and after what separates words. */
const timeStart = /(?:^|[\s[("'=|<>,;*])(?=\d{1,4}[-/. ]|\d{8}[T ]|\d{1,10}:\d{8}:|[A-Za-z]{3,4}[., ] ?\d)/g;

/** What follows a time up to where nothing can belong to it any more. */
const settledForm = / ?[\w/:.,+-]*(?:.|\n)/y;

/** Returns where what decides on a dated time ends: the same beginning has the same time, whatever follows. */
export const settledEnd = (text: string, {end}: Pick<DatedTime, 'end'>): number | undefined => {
  settledForm.lastIndex = end;
  const settled = settledForm.test(`${text}\n`) ? settledForm.lastIndex : datedCharsMax + 1;
  return settled > datedCharsMax ? undefined : settled;
};

export type DatedTime = {readonly start: number; readonly end: number; readonly written: WrittenTime};

/**
 * Finds a time with its date at or near the start of a line, with a comma or a point before the decimals. Where it is
 * depends on letters and on where digits are, not on which.
 */
export const findDatedTime = (text: string): DatedTime | undefined => {
  const head = text.slice(0, datedCharsMax);
  timeStart.lastIndex = 0;
  for (let match = timeStart.exec(head); match !== null; match = timeStart.exec(head)) {
    const start = match.index + match[0].length;
    if (match.index > beforeCharsMax) {
      return undefined;
    }
    const end = findTimeEnd(head, start, head.trimStart().length === head.length - start);
    const written = end === -1 ? undefined : readWritten(head.slice(start, end));
    if (typeof written === 'object' && written.day !== undefined) {
      return {start, end, written};
    }
    timeStart.lastIndex = start + 1;
  }
  return undefined;
};
