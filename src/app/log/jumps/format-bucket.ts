import {type Instant, instantToMs} from '#log/line/instant.ts';

/** Formats the length of a strip's column exactly, in one unit: `200 ms`, `90 s`, `7.5 min`, `2 h`. */
export const formatBucket = (bucket: Instant): string => {
  const ms = instantToMs(bucket);
  if (ms < 1000) {
    return `${ms} ms`;
  }
  if (ms < 120_000) {
    return `${ms / 1000} s`;
  }
  return ms < 7_200_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
};
