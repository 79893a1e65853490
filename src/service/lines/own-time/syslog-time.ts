import {type Instant, instantToMs} from '../../../log/line/instant.ts';
import {instantInMachineZone, monthNumber, type OwnTimeContext, wallTimeOf} from './wall-time.ts';

const pattern = /^(?:<\d{1,3}>)?([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?[ :]/;

/** A writer's clock may be ahead by this much. Further ahead, the line is more likely a year old. */
const aheadNsMax = 24n * 3600n * 1_000_000_000n;
/** 29 February may be eight years ago. */
const yearsBackMax = 8;

/**
 * Reads RFC 3164 syslog times, `Nov 22 01:59:00 host`, in the machine's zone and without a year: takes the latest year
 * that does not put the line in the future. (RFC 5424 has an ISO time.)
 */
export const readSyslogTime = (text: string, {now, localMs}: OwnTimeContext): Instant | undefined => {
  const match = pattern.exec(text);
  if (!match) {
    return undefined;
  }
  const [, month, day, hour, minute, second, decimals] = match;
  // A zone east of UTC may already be in the new year.
  const yearMax = new Date(instantToMs(now)).getUTCFullYear() + 1;
  for (let year = yearMax; year >= yearMax - yearsBackMax - 1; year -= 1) {
    const wall = wallTimeOf([year, monthNumber(month), day, hour, minute, second], decimals);
    const instant = instantInMachineZone(wall, localMs);
    if (instant !== undefined && instant <= now + aheadNsMax) {
      return instant;
    }
  }
  return undefined;
};
