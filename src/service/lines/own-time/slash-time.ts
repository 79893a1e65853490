import type {Instant} from '../../../log/line/instant.ts';
import {instantInMachineZone, type OwnTimeContext, wallTimeOf} from './wall-time.ts';

const pattern = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?![\d:])/;

/**
 * Reads the time of nginx's error log and of Go's log package: `2026/11/22 01:59:00 [error]`, in the machine's zone.
 */
export const readSlashTime = (text: string, {localMs}: OwnTimeContext): Instant | undefined => {
  const match = pattern.exec(text);
  return match ? instantInMachineZone(wallTimeOf(match.slice(1, 7), match[7]), localMs) : undefined;
};
