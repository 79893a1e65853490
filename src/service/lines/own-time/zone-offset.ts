/** A service's files name one zone, seldom two. Past this a new zone takes the place of all known ones. */
const zonesMax = 16;

const formatters = new Map<string, Intl.DateTimeFormat | undefined>();

const createFormatter = (zone: string): Intl.DateTimeFormat | undefined => {
  try {
    return new Intl.DateTimeFormat('en-US', {timeZone: zone, timeZoneName: 'longOffset'});
  } catch {
    // Not a zone that is known here.
    return undefined;
  }
};

const formatterOf = (zone: string): Intl.DateTimeFormat | undefined => {
  if (!formatters.has(zone)) {
    if (formatters.size >= zonesMax) {
      formatters.clear();
    }
    formatters.set(zone, createFormatter(zone));
  }
  return formatters.get(zone);
};

const offsetPattern = /([+-])(\d\d):?(\d\d)?$/;

/** Minutes of `+02:00`, `-0530` or `+02`; undefined where it is no offset. */
export const parseOffset = (text: string): number | undefined => {
  const match = offsetPattern.exec(text);
  return match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0)) : undefined;
};

const offsetAt = (formatter: Intl.DateTimeFormat, ms: number): number => {
  const name = formatter.formatToParts(ms).find(part => part.type === 'timeZoneName')?.value ?? '';
  // "GMT" alone is UTC.
  return parseOffset(name) ?? 0;
};

/**
 * Minutes that a zone is east of UTC when its clocks show a time, which is given as milliseconds as if it were UTC.
 * The zone is an offset, `Z`, or a name such as `Europe/Berlin`; undefined where it is not known.
 */
export const zoneOffset = (zone: string, wallMs: number): number | undefined => {
  if (/^(?:z|utc|gmt)$/i.test(zone)) {
    return 0;
  }
  if (/^[+-]/.test(zone)) {
    return parseOffset(zone);
  }
  const formatter = formatterOf(zone);
  if (!formatter) {
    return undefined;
  }
  const near = offsetAt(formatter, wallMs);
  return offsetAt(formatter, wallMs - near * 60_000);
};
