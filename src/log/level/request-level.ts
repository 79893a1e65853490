import {levelOfStatus} from './access-level.ts';
import type {Level} from './level-words.ts';

// morgan (dev, tiny, short): GET /cart 502 1.2 ms - 157; its other formats are the common log format
const morgan =
  /^(?:\S{1,64} \S{1,64} )?[A-Z]{3,16} \S+ (?:HTTP\/[\d.]+ )?([1-5]\d\d) (?:[\d.]+ ms - (?:\d+|-)|(?:\d+|-) - [\d.]+ ms)$/;
// gin and Fiber: [GIN] 2026/11/21 - 14:02:11 | 502 | 1.2ms | 10.1.2.3 | POST "/cart"
const gin = /^(?:\[GIN\] \d{4}\/\d\d\/\d\d - )?\d\d:\d\d:\d\d *\| *([1-5]\d\d) *\| *[\d.]+(?:[nuµμm]?s|m[\d.]+s) *\|/;
// HAProxy: … 0/0/1/20/31 502 157 - - sH-- 12/12/3/1/0 0/0 "GET / HTTP/1.1"
const haproxy =
  / (?:-?\d{1,10}\/){4}\+?\d{1,10} ([1-5]\d\d) \+?\d{1,15} \S{1,128} \S{1,128} [\w-]{4} (?:\d{1,10}\/){4}\+?\d{1,10} /;
const rails = /(?:^|[\]:] )Completed ([1-5]\d\d) (?:[A-Z][\w' -]{1,40} )?in [\d.]+ ?ms/;
// lograge, Heroku's router: only with a method and a path, so that a job's status is not taken for a request's
const method = /(?:^|\s)method="?[A-Z]{3,16}"?\s/;
const path = /(?:^|\s)(?:path|uri|url)="?\//;
const status = /(?:^|\s)status="?([1-5]\d\d)"?(?:\s|$)/;

/** The end of a line of morgan is nearer than this. */
const morganTailChars = 20;

/** HAProxy ends with the request: ` HTTP/1.1"`. */
const haproxyTailChars = 10;

/** Tries a pattern only where something cheap to see speaks for it: this runs on every line. */
const findStatus = (text: string): string | undefined => {
  if (text.startsWith('[GIN]') || text[9] === '|') {
    return gin.exec(text)?.[1];
  }
  if (text.endsWith(' ms') || text.indexOf(' ms - ', text.length - morganTailChars) > 0) {
    return morgan.exec(text)?.[1];
  }
  if (text.indexOf(' HTTP/', text.length - haproxyTailChars) > 0) {
    return haproxy.exec(text)?.[1];
  }
  if (text.includes('Completed ')) {
    return rails.exec(text)?.[1];
  }
  return text.includes('status=') && method.test(text) && path.test(text) ? status.exec(text)?.[1] : undefined;
};

/**
 * Returns the level of a line in which a framework or router reports a finished request, by its status; undefined for
 * other lines. The common log format and JSON are not among them.
 */
export const levelOfRequest = (text: string): Level | undefined => {
  const found = findStatus(text);
  return found === undefined ? undefined : levelOfStatus(Number(found));
};
