import {type Level, levelRank} from '../level/level.ts';

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

/** Returns the severity of a status: 5xx bad, 4xx warn, consistent with `levelOf`. */
export const severityOfStatus = (status: number): Severity => {
  if (status < 400 || status > 599) {
    return 'plain';
  }
  return status >= 500 ? 'bad' : 'warn';
};

/** Collects the fields of one line from left to right. */
export type FieldCollector = {
  /** Adds a field, unless it is empty, begins before the end of the previous one, or there are too many. */
  add(field: FieldName, start: number, end: number, severity?: Severity): void;
  /** The fields so far: ascending, not overlapping. */
  readonly spans: readonly FieldSpan[];
};

export const createFieldCollector = (): FieldCollector => {
  const spans: FieldSpan[] = [];
  let lastEnd = 0;
  return {
    spans,
    add(field, start, end, severity = 'plain') {
      if (end > start && start >= lastEnd && spans.length < fieldSpansMax) {
        spans.push({start, end, field, severity});
        lastEnd = end;
      }
    },
  };
};
