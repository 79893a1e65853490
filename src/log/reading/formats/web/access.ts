import {anyForm, type Format, group, looseForm, type Piece, restToken, restTokensMax} from '../../form.ts';

/** A quote or backslash inside the request is escaped by the server, so that it can't forge a status. */
const piece = String.raw`(?:[^"\\]|\\.)`;
const request = String.raw`"(?:${group.method} (?<path>(?:[^"\\\s]|\\.)+)(?: (?<protocol>${piece}{1,4096}))?|(?<sent>${piece}*))"`;
const answer = `${request} ${group.status}(?: ${group.bytes}(?= |$))?(?<rest> .*)?`;
/** Text that tells a request from other quoted texts where no time in brackets precedes it. */
const opening = '"(?:[A-Z]{3,16} (?:[/*]|https?:)|-")';
const client = String.raw`(?<client>[\w.:%-]{1,253})`;
const address = String.raw`(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\w)|(?=[\da-f]*:)[\da-f:]*::[\da-f:.]*|(?:[\da-f]{1,4}:){7}[\da-f]{1,4})`;

/** The status of any of them: quick, for the level of each line is asked for. */
export const accessStatus = new RegExp(`^[^"]*(?:(?<=\\] )|(?=${opening}))"${piece}*" ([1-5]\\d\\d)(?: |$)`);

const maybeTime = /\d\.\d{3}(?:[" ]|\d?$)|\dms$/;
/** Rack's seconds, alone, and Traefik's milliseconds at the end. */
const lastTime = /^ (\d{1,5}\.\d{4})$| (\d{1,9}ms)$/;
/** nginx's `$request_time`: seconds with three decimals, alone or with its name. */
const requestTime = /^((?:rt|request_time)=)?"?(\d{1,9}\.\d{3})"?$/; /**
 * Finds the time that a request took in what follows the parts of an access line, in seconds unless it has a unit:
 * after a quoted text, with its name, or at the end.
 */
export const findRequestTime = (rest: string): Piece | undefined => {
  if (!maybeTime.test(rest)) {
    return undefined;
  }
  const [, ...last] = lastTime.exec(rest) ?? [];
  const said = last.find(each => each !== undefined);
  if (said !== undefined) {
    return {start: rest.length - said.length, end: rest.length};
  }
  let hasQuoted = false;
  let count = 0;
  for (const {0: token, index} of rest.matchAll(restToken)) {
    const [, name = '', seconds = ''] = token.startsWith('"') ? [] : (requestTime.exec(token) ?? []);
    if (seconds !== '' && (hasQuoted || name !== '')) {
      const start = index + token.indexOf(seconds, name.length);
      return {start, end: start + seconds.length};
    }
    hasQuoted ||= token.startsWith('"');
    count += 1;
    if (count === restTokensMax) {
      break;
    }
  }
  return undefined;
};

/** Access lines of Apache, nginx, PHP-FPM, Django's server and uvicorn: the request in quotes, the status after it. */
export const access: Format = {
  hint: text => text.includes('"'),
  forms: [
    // 10.2.0.7 - - [21/Nov/2026:14:02:11 +0000] "GET /cart HTTP/1.1" 200 157, after a host, or without a time
    anyForm`(?:(?<b2>[\w.-]{1,253}:\d{1,5}) )?${client} (?<b3>\S{1,64}) (?<b1>\S{1,128}(?= ${opening})|[^["]{1,128}(?= \[))(?: \[(?<time>[^\]]{10,40})\])? ${answer}`,
    // PHP-FPM: 127.0.0.1 -  21/Nov/2026:14:02:11 +0000 "GET /index.php" 200
    anyForm`${client} - (?<b1>\S{0,128}) (?<time>\d\d\/[^ ]{10,20} [+-]\d{4}) ${answer}`,
    // Django's server: [21/Nov/2026 14:02:11] "GET /cart/ HTTP/1.1" 404 2145
    anyForm`\[(?<time>\d\d\/[^\]]{10,32})\] ${answer}`,
    // Envoy and Istio: [2026-11-21T14:02:11.031Z] "GET /cart HTTP/1.1" 503 UF 0 91 1204 - …
    anyForm`\[(?<time>\d{4}-[^\]]{10,30})\] ${request} ${group.status} (?<b1>[\w,-]{1,32}(?: \S{1,64} \S{1,64} "[^"]*")?) (?<b2>\d{1,15}) (?<bytes>\d{1,15}) (?<took>\d{1,10}) (?<rest>.*)`,
    // uvicorn: INFO:     10.2.0.7:52312 - "GET / HTTP/1.1" 200 OK
    anyForm`INFO: {1,8}${group.client} - ${answer}`,
  ],
};

/** Access lines with anything before them, such as the name of a container. */
export const looseAccess: Format = {
  hint: text => text.includes('"') && accessStatus.test(text),
  forms: [
    looseForm`(?:(?:[^"]{0,512}?[ |])?(?<client>${address})[^"]{0,512}|[^"]{0,512})(?:(?<=\] )|(?=${opening}))${answer}`,
  ],
};
