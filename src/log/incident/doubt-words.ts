import {formatClock} from '#log/line/instant.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import type {Doubt} from './recovery-watch.ts';

const podCharsMax = 100;

/** Says why it cannot be told whether something stopped; `formatMs` writes a time of the clock of the answers. */
export const doubtWords = (doubt: Doubt, formatMs: (ms: number) => string | undefined): string => {
  const since = (ms: number): string => {
    const time = Number.isFinite(ms) ? formatMs(ms) : undefined;
    return time === undefined ? '' : ` since ${time}`;
  };
  switch (doubt.kind) {
    case 'tooShort':
      return 'too little time passed';
    case 'outage':
      return `no answer${since(doubt.sinceMs)}`;
    case 'silence':
      return `nothing was written${doubt.who === '' ? '' : ` by ${sanitiseWord(doubt.who, podCharsMax)}`}${since(doubt.sinceMs)}`;
    case 'lastLines':
      return `the last lines of ${sanitiseWord(doubt.pod, podCharsMax)} may be missing`;
    case 'unreadable':
      return 'not all of it can be read';
    case 'unnumbered':
      return 'not every response numbers its lines';
    case 'unproven':
      return 'not every response proves as much as those before';
    case 'notLines':
      return 'the service sent something that is not a line';
    case 'gap':
      return `gap ${formatClock(doubt.after)} to ${formatClock(doubt.before)}`;
    case 'quiet':
      return `quiet ${formatClock(doubt.since)} to ${formatClock(doubt.at)}`;
    default:
      return doubt satisfies never;
  }
};
