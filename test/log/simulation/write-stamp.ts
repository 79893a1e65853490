import {formatInstant, type Instant} from '#log/line/instant.ts';

/**
 * How exactly stamps are written: nine digits, those that are not zeros, as Go does, or cut to milliseconds or seconds.
 */
export type Precision = 'nanos' | 'trimmed' | 'millis' | 'seconds';

export const writeStamp = (at: Instant, precision: Precision): string => {
  const stamp = formatInstant(at);
  switch (precision) {
    case 'nanos':
      return stamp;
    case 'trimmed':
      return stamp.replace(/\.?0*Z$/, 'Z');
    case 'millis':
      return `${stamp.slice(0, -7)}Z`;
    case 'seconds':
      return `${stamp.slice(0, -11)}Z`;
    default:
      return precision satisfies never;
  }
};
