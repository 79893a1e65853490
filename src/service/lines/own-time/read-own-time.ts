import type {Instant} from '../../../log/line/instant.ts';
import {readAccessTime} from './access-time.ts';
import {readApacheErrorTime} from './apache-error-time.ts';
import {readIsoTime} from './iso-time.ts';
import {readJsonTime} from './json-time.ts';
import {readPhpTime} from './php-time.ts';
import {readSlashTime} from './slash-time.ts';
import {readSyslogTime} from './syslog-time.ts';
import type {OwnTimeContext} from './wall-time.ts';

/** The client and the user precede the time of an access line; both may be long. */
const headCharsMax = 512;

/** Colours with which a program wrote its line. */
const colour = /\x1b\[[\d;]*m/g;

/** Reads the formats whose times stand at the start of a line. The first character tells which it can be. */
const readTimeAtStart = (head: string, context: OwnTimeContext): Instant | undefined => {
  const [first = ''] = head;
  if (first === '[') {
    return readApacheErrorTime(head, context) ?? readPhpTime(head, context);
  }
  return first >= '0' && first <= '9' ? readSlashTime(head, context) : readSyslogTime(head, context);
};

/**
 * Reads the time at which a plain line says it was written, in any known format. Returns undefined if it has none. The
 * caller decides whether to trust it.
 */
export const readOwnTime = (line: string, context: OwnTimeContext): Instant | undefined => {
  if (line.startsWith('{')) {
    return readJsonTime(line, context);
  }
  const start = line.slice(0, headCharsMax);
  const head = start.includes('\x1b') ? start.replaceAll(colour, '') : start;
  return readTimeAtStart(head, context) ?? readIsoTime(head, context) ?? readAccessTime(head);
};
