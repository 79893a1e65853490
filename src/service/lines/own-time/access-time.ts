import type {Instant} from '../../../log/line/instant.ts';
import {instantAtOffset, monthNumber, rememberLast, wallTimeOf} from './wall-time.ts';
import {parseOffset} from './zone-offset.ts';

const pattern = /\b(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d)(?:\.(\d+))? ([+-]\d{4})/;

const parse = rememberLast(text => {
  const [, day, month, year, hour, minute, second, decimals, zone = ''] = pattern.exec(text) ?? [];
  const wall = wallTimeOf([year, monthNumber(month), day, hour, minute, second], decimals);
  return instantAtOffset(wall, parseOffset(zone) ?? 0);
});

/**
 * Reads the time of access lines of nginx, Apache and PHP-FPM: `[22/Nov/2026:01:59:00 +0000]`, after the client and the
 * user.
 */
export const readAccessTime = (text: string): Instant | undefined => {
  const found = pattern.exec(text)?.[0];
  return found === undefined ? undefined : parse(found);
};
