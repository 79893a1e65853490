import {formatInstant, type Instant} from '#log/line/instant.ts';

/** Bytes of a typical access log line, including the timestamp. */
export const lineBytes = 155;

const firstAt: Instant = 1_763_733_600_000_000_000n;
const stepNanos = 2_000_000n;

/** Creates a unique web server access line of exactly `lineBytes` bytes. */
export const makeLine = (index: number): string =>
  `${formatInstant(firstAt + BigInt(index) * stepNanos)} 203.0.113.${index % 250} - - [21/Nov/2026:14:02:11 +0000] "GET /product/${index} HTTP/1.1" 200 ${(index * 7919) % 90_000} "-" "Mozilla/5.0 (X11; Linux x86_64; rv:145.0)"`
    .padEnd(lineBytes, ' ')
    .slice(0, lineBytes);

/**
 * Creates the body of a log answer (section 2.5) with lines numbered from the first (inclusive) to the second
 * (exclusive).
 */
export const makeBody = (from: number, to: number): Buffer => {
  const data = Array.from({length: to - from}, (_, index) => makeLine(from + index));
  return Buffer.from(
    JSON.stringify({
      podNamesList: [{name: 'web-0', resourceVersion: '1', metadata: {creationTimestamp: '2026-11-21T12:00:00Z'}}],
      data,
      events: data.map(message => ({message})),
      sessionId: 'bench',
    }),
  );
};
