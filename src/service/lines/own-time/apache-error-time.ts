import type {Instant} from '../../../log/line/instant.ts';
import {instantInMachineZone, monthNumber, type OwnTimeContext, wallTimeOf} from './wall-time.ts';

const pattern = /^\[[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d)(?:\.(\d+))? (\d{4})\]/;

/** Reads the time of Apache's error log: `[Sun Nov 22 01:59:00.123456 2026]`, in the machine's zone. */
export const readApacheErrorTime = (text: string, {localMs}: OwnTimeContext): Instant | undefined => {
  const match = pattern.exec(text);
  if (!match) {
    return undefined;
  }
  const [, month, day, hour, minute, second, decimals, year] = match;
  return instantInMachineZone(wallTimeOf([year, monthNumber(month), day, hour, minute, second], decimals), localMs);
};
