import {isTable} from '#base/table.ts';
import {errorCharsMax, type Pulse, type PulseMinute, pulseMinuteMs, pulseMinutesMax} from '#log/overview/pulse.ts';
import {createFieldProblems, createFieldReader, type FieldProblems, type FieldReader, listIn} from './field-reader.ts';

export type SitePulses = ReadonlyMap<string, Pulse>;

/**
 * Decodes the errors of a site's branches (docs/serve.md, "Errors of all branches"), by branch. A record that is
 * malformed is noted and left out, so that its branch is looked at by itself. Throws an `ApiError` of kind
 * `notInterface` if the answer is not an array.
 */
export const decodePulses = (json: unknown): {readonly value: SitePulses; readonly skipped: readonly string[]} => {
  const problems = createFieldProblems();
  const pulses = listIn(json, 'a list of pulses').flatMap((item, index) => {
    const read = isTable(item) ? createFieldReader(item, `[${index}]`, problems) : undefined;
    const [id, pulse] = [read?.text('_id'), read && decodePulse(read, problems)];
    if (read === undefined || id === undefined || pulse === undefined) {
      problems.add(`[${index}]`, 'an object with _id, seenUntil, seenMs, lines and errors', item);
      return [];
    }
    return [[id, pulse] as const];
  });
  return {value: new Map(pulses), skipped: problems.list()};
};

const decodePulse = (read: FieldReader, problems: FieldProblems): Pulse | undefined => {
  const [toMs, counts, lastLineMs] = [timeAt(read, 'seenUntil'), countsOf(read), timeAt(read, 'lastLine')];
  if (toMs === undefined || counts === undefined) {
    return undefined;
  }
  const minutes = read.items('minutes').slice(-pulseMinutesMax);
  const error = read.within('lastError');
  const errorMs = error && timeAt(error, 'time');
  const {seenMs, ...counted} = counts;
  return {
    toMs,
    spanMs: Math.min(seenMs, pulseMinuteMs),
    ...counted,
    minutes: minutes.map(item => decodeMinute(item, problems)).filter(minute => minute !== undefined),
    ...(error &&
      errorMs !== undefined && {lastError: {atMs: errorMs, text: (error.text('text') ?? '').slice(0, errorCharsMax)}}),
    ...(lastLineMs !== undefined && {lastLineMs}),
  };
};

const decodeMinute = (item: unknown, problems: FieldProblems): PulseMinute | undefined => {
  const read = isTable(item) ? createFieldReader(item, 'minutes', problems) : undefined;
  const [fromMs, counts] = [read && timeAt(read, 'from'), read && countsOf(read)];
  return fromMs === undefined || counts === undefined
    ? undefined
    : {minute: Math.floor(fromMs / pulseMinuteMs), ...counts};
};

const timeAt = (read: FieldReader, key: string): number | undefined => {
  const ms = Date.parse(read.text(key) ?? '');
  return Number.isNaN(ms) ? undefined : ms;
};

/** Returns what was counted in how much time; undefined unless all are numbers, none below zero. */
const countsOf = (read: FieldReader) => {
  const [seenMs = -1, lines = -1, errors = -1] = [read.number('seenMs'), read.number('lines'), read.number('errors')];
  return Math.min(seenMs, lines, errors) < 0 ? undefined : {seenMs, lines, errors};
};
