/** A service's files name one zone, rarely two. Past this limit a new zone replaces all known ones. */
const zonesMax = 16;

const formatters = new Map<string, Intl.DateTimeFormat | undefined>();

const createFormatter = (zone: string): Intl.DateTimeFormat | undefined => {
  try {
    return new Intl.DateTimeFormat('en-US', {timeZone: zone, timeZoneName: 'longOffset'});
  } catch {
    // The zone is not known here.
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

/** Parses the minutes of `+02:00`, `-0530` or `+02`; undefined if the text is not an offset. */
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
 * Returns the minutes that a zone is east of UTC when its clocks show a time, given in milliseconds as if it were UTC.
 * The zone is an offset, `Z`, or a name such as `Europe/Berlin`. Returns undefined if the zone is unknown.
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
