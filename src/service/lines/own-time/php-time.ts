import type {Instant} from '../../../log/line/instant.ts';
import {instantAtOffset, instantInMachineZone, monthNumber, type OwnTimeContext, wallTimeOf} from './wall-time.ts';
import {zoneOffset} from './zone-offset.ts';

const pattern = /^\[(\d\d)-([A-Z][a-z]{2})-(\d{4}) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?: ([A-Za-z+-][\w/+:-]*))?\]/;

/**
 * Reads the time of PHP's error log, `[22-Nov-2026 01:59:00 Europe/Berlin]`, and of PHP-FPM's, which names no zone and
 * means the machine's.
 */
export const readPhpTime = (text: string, {localMs}: OwnTimeContext): Instant | undefined => {
  const match = pattern.exec(text);
  if (!match) {
    return undefined;
  }
  const [, day, month, year, hour, minute, second, decimals, zone] = match;
  const wall = wallTimeOf([year, monthNumber(month), day, hour, minute, second], decimals);
  if (zone === undefined) {
    return instantInMachineZone(wall, localMs);
  }
  const wallMs = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second);
  const offsetMinutes = zoneOffset(zone, wallMs);
  return offsetMinutes === undefined ? undefined : instantAtOffset(wall, offsetMinutes);
};
