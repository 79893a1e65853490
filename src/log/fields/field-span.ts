import {type Level, levelRank} from '../level/level.ts';

/** What a piece of a line is. */
export type FieldName = 'time' | 'level' | 'status' | 'method' | 'path' | 'client' | 'logger' | 'key';

/** Whether a level or a status says that something is wrong; `plain` for all that does not. */
export type Severity = 'plain' | 'warn' | 'bad';

/** A field of a line: code units `start` to, not including, `end`. */
export type FieldSpan = {
  readonly start: number;
  readonly end: number;
  readonly field: FieldName;
  readonly severity: Severity;
};

/** A row of a wide screen holds fewer that one could tell apart; a line of a thousand keys stays cheap to draw. */
export const fieldSpansMax = 100;

export const severityOfLevel = (level: Level): Severity => {
  const rank = levelRank(level);
  return rank >= levelRank('error') ? 'bad' : rank === levelRank('warn') ? 'warn' : 'plain';
};

/** 5xx bad, 4xx warn, as `levelOf` has them. */
export const severityOfStatus = (status: number): Severity => {
  if (status < 400 || status > 599) {
    return 'plain';
  }
  return status >= 500 ? 'bad' : 'warn';
};

/** Collects the fields of one line from left to right. */
export type FieldCollector = {
  /** Takes a field, unless it is empty, begins before the end of the one before, or there are too many. */
  add(field: FieldName, start: number, end: number, severity?: Severity): void;
  /** The fields so far: ascending, none over another. */
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
