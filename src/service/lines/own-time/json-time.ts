import type {Instant} from '../../../log/line/instant.ts';
import {readJsonText} from '../../link/object-fields.ts';
import {readAccessTime} from './access-time.ts';
import {readIsoTime} from './iso-time.ts';
import type {OwnTimeContext} from './wall-time.ts';

const names = ['time', 'timestamp', '@timestamp', 'ts', 'datetime', 'time_iso8601', 'time_local'];

/**
 * Units of a number since 1970: seconds, milliseconds, microseconds or nanoseconds. A number below `end` counts units
 * of `nanos` nanoseconds.
 */
const units: readonly {readonly end: number; readonly nanos: number}[] = [
  {end: 1e11, nanos: 1e9},
  {end: 1e14, nanos: 1e6},
  {end: 1e17, nanos: 1e3},
  {end: 9e18, nanos: 1},
];

/** 1990: smaller numbers are durations and counters. */
const secondsMin = 631_152_000;

const readEpoch = (value: number): Instant | undefined => {
  const unit = units.find(({end}) => value < end);
  if (!unit || value < secondsMin) {
    return undefined;
  }
  const whole = Math.floor(value);
  // A double holds seconds to better than a microsecond.
  return BigInt(whole) * BigInt(unit.nanos) + BigInt(Math.round(((value - whole) * unit.nanos) / 1e3)) * 1000n;
};

const readValue = (value: unknown, context: OwnTimeContext): Instant | undefined => {
  if (typeof value === 'number') {
    return readEpoch(value);
  }
  if (typeof value !== 'string') {
    return undefined;
  }
  return /^\d+(?:\.\d+)?$/.test(value)
    ? readEpoch(Number(value))
    : (readIsoTime(value, context) ?? readAccessTime(value));
};

/**
 * Reads the time field of a JSON record: ISO text, or a number of seconds, milliseconds, microseconds or nanoseconds
 * since 1970.
 */
export const readJsonTime = (line: string, context: OwnTimeContext): Instant | undefined => {
  // A truncated record, or text that only starts like one, has no fields.
  const fields = new Map(Object.entries(readJsonText(line) ?? {}));
  for (const name of names) {
    const instant = readValue(fields.get(name), context);
    if (instant !== undefined) {
      return instant;
    }
  }
  return undefined;
};
