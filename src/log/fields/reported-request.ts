/** Where a request that a framework or proxy reports has its parts, by name: code units from and to. */
export type ReportedRequest = Readonly<Record<string, readonly [number, number] | undefined>>;

const status = String.raw`(?<status>[1-5]\d\d)`;
const client = String.raw`(?<client>[\w.:%[\]-]{1,253})`;
const method = '(?<method>[A-Z]{3,16})';
const path = String.raw`(?<path>[/*]\S*|https?:\S+)`;
const took = String.raw`(?<took>[\d.]{1,20} ?[nuµμm]?s|\dm[\d.]{1,16}s)`;
const morganHead = String.raw`^(?:(?<client>\S{1,64}) (?<b1>\S{1,64}) )?${method} ${path} (?:(?<b2>HTTP/[\d.]{1,8}) )?${status}`;

const formOf = (source: string): RegExp => new RegExp(source, 'd');

// Every repetition is bounded or over disjoint characters, so that none can be slow.
/** gin: [GIN] 2026/11/21 - 14:02:11 | 502 |    1.204512s |    203.0.113.9 | POST     "/checkout" */
const gin = formOf(
  String.raw`^\[GIN\] (?<time>\d{4}/\d\d/\d\d - \d\d:\d\d:\d\d) \| *${status} \| *${took} \| *${client} \| *${method} +"(?<path>[^"]*)"(?<b1>.*)$`,
);
/** Fiber: 14:02:11 | 502 | 1.204ms | 203.0.113.9 | POST | /checkout | - */
const fiber = formOf(
  String.raw`^(?<time>\d\d:\d\d:\d\d) *\| *${status} *\| *${took} *\| *${client} *\| *${method} *\| *${path}(?: *\| *(?<b1>.*))?$`,
);
/** morgan, dev: GET /cart 502 1.2 ms - 157 */
const morganDev = formOf(String.raw`${morganHead} ${took} - (?:(?<bytes>\d{1,15})|-)$`);
/** morgan, tiny and short: GET /cart 502 157 - 1.2 ms */
const morganTiny = formOf(String.raw`${morganHead} (?:(?<bytes>\d{1,15})|-) - ${took}$`);
/**
 * HAProxy, after what syslog puts before it: 203.0.113.9:51234 [21/Nov/2026:14:02:11.123] web~ shop/web1 0/0/1/20/31
 * 502 157 - - sH-- 12/12/3/1/0 0/0 "GET / HTTP/1.1"
 */
const haproxy = formOf(
  String.raw`^(?:(?<stamp>[A-Z][a-z]{2} [ \d]\d [\d:]{8}|\d{4}-\S{6,32}) )?(?:(?<b4>[\w.-]{1,128} [\w./()-]{1,64}(?:\[\d{1,10}\])?): )?${client} \[(?<time>[^\]]{20,40})\] (?<b1>\S{1,128} [^\s/]{1,128}/\S{1,128}) (?<b2>(?:-?\d{1,10}/){3}-?\d{1,10})/\+?(?<ms>\d{1,10}) ${status} \+?(?<bytes>\d{1,15}) (?<b3>\S{1,128} \S{1,128} [\w-]{4} (?:\d{1,10}/){4}\+?\d{1,10} \d{1,10}/\d{1,10}(?: \{[^}]*\}){0,2}) "${method} ${path}(?: (?<protocol>HTTP/[\d.]{1,8}))?"$`,
);

/** The end of a line of morgan, and of HAProxy, is nearer than this. */
const morganTailChars = 20;
const haproxyTailChars = 10;

/** Tries a form only where something cheap to see speaks for it: this runs on every line. */
const formFor = (text: string): RegExp | undefined => {
  if (text.startsWith('[GIN]')) {
    return gin;
  }
  if (text[9] === '|') {
    return fiber;
  }
  if (text.endsWith(' ms')) {
    return morganTiny;
  }
  if (text.indexOf(' ms - ', text.length - morganTailChars) > 0) {
    return morganDev;
  }
  return text.indexOf(' HTTP/', text.length - haproxyTailChars) > 0 ? haproxy : undefined;
};

/**
 * Finds the parts of a finished request as gin, Fiber, morgan and HAProxy report it, in a text free of SGR: `status`,
 * `method`, `path`, `client`, `bytes`, `took` with its unit or `ms`, `time`, `stamp`, `protocol`, and what else there
 * is, `b1` to `b4`. Returns undefined for other lines.
 */
export const findReportedRequest = (text: string): ReportedRequest | undefined =>
  formFor(text)?.exec(text)?.indices?.groups;
