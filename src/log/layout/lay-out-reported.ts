import type {Piece} from '../fields/access-line.ts';
import {type LaidGround, showBehind, showTime} from './laid-ground.ts';
import {createLaidRow, type LaidLine} from './laid-row.ts';
import {bytesPart, layOutRequest, takenPart} from './lay-out-request.ts';

const status = String.raw`(?<status>[1-5]\d\d)`;
const client = String.raw`(?<client>[\w.:%[\]-]{1,253})`;
const method = '(?<method>[A-Z]{3,16})';
const path = String.raw`(?<path>[/*]\S*|https?:\S+)`;
const took = String.raw`(?<took>[\d.]{1,20} ?[nuµμm]?s|\dm[\d.]{1,16}s)`;
const morganHead = String.raw`^(?:(?<client>\S{1,64}) (?<b1>\S{1,64}) )?${method} ${path} (?:(?<b2>HTTP/[\d.]{1,8}) )?${status}`;

/**
 * Requests as frameworks and a proxy report them, without the quotes of an access log; `b1` to `b4` belong behind.
 * Every repetition is bounded or over disjoint characters, so that none can be slow.
 */
const forms: readonly RegExp[] = [
  // gin: [GIN] 2026/11/21 - 14:02:11 | 502 |    1.204512s |    203.0.113.9 | POST     "/checkout"
  new RegExp(
    String.raw`^\[GIN\] (?<time>\d{4}/\d\d/\d\d - \d\d:\d\d:\d\d) \| *${status} \| *${took} \| *${client} \| *${method} +"(?<path>[^"]*)"(?<b1>.*)$`,
    'd',
  ),
  // Fiber: 14:02:11 | 502 | 1.204ms | 203.0.113.9 | POST | /checkout | -
  new RegExp(
    String.raw`^(?<time>\d\d:\d\d:\d\d) *\| *${status} *\| *${took} *\| *${client} *\| *${method} *\| *${path}(?: *\| *(?<b1>.*))?$`,
    'd',
  ),
  // morgan: GET /cart 502 1.2 ms - 157 (dev), GET /cart 502 157 - 1.2 ms (tiny, short)
  new RegExp(String.raw`${morganHead} ${took} - (?:(?<bytes>\d{1,15})|-)$`, 'd'),
  new RegExp(String.raw`${morganHead} (?:(?<bytes>\d{1,15})|-) - ${took}$`, 'd'),
  // HAProxy, after what syslog puts before it: 203.0.113.9:51234 [21/Nov/2026:14:02:11.123] web~ shop/web1
  // 0/0/1/20/31 502 157 - - sH-- 12/12/3/1/0 0/0 "GET / HTTP/1.1"
  new RegExp(
    String.raw`^(?:(?<stamp>[A-Z][a-z]{2} [ \d]\d [\d:]{8}|\d{4}-\S{6,32}) )?(?:(?<b4>[\w.-]{1,128} [\w./()-]{1,64}(?:\[\d{1,10}\])?): )?${client} \[(?<time>[^\]]{20,40})\] (?<b1>\S{1,128} [^\s/]{1,128}/\S{1,128}) (?<b2>(?:-?\d{1,10}/){3}-?\d{1,10})/\+?(?<ms>\d{1,10}) ${status} \+?(?<bytes>\d{1,15}) (?<b3>\S{1,128} \S{1,128} [\w-]{4} (?:\d{1,10}/){4}\+?\d{1,10} \d{1,10}/\d{1,10}(?: \{[^}]*\}){0,2}) "${method} ${path}(?: (?<protocol>HTTP/[\d.]{1,8}))?"$`,
    'd',
  ),
];

/** No form begins without a bracket, an upper-case letter, an address or a time, and most lines end otherwise. */
const mayBe = /^[[A-Z\d:]/;

/**
 * Lays out a request that a framework or HAProxy reports in a form of its own, like a line of an access log. Returns
 * undefined for other lines.
 */
export const layOutReported = (ground: LaidGround): LaidLine | undefined => {
  const {received, columns} = ground;
  const match = mayBe.test(received) ? forms.map(form => form.exec(received)).find(each => each !== null) : undefined;
  const ranges = match?.indices?.groups;
  if (ranges === undefined) {
    return undefined;
  }
  const pieceOf = (name: string): Piece | undefined => {
    const range = ranges[name];
    return range && {start: range[0], end: range[1]};
  };
  const [answered, asked, bytes] = [pieceOf('status'), pieceOf('path'), pieceOf('bytes')];
  if (answered === undefined || asked === undefined) {
    return undefined;
  }
  const taken = pieceOf('took') ?? pieceOf('ms');
  const row = createLaidRow(received);
  layOutRequest(
    row,
    {
      status: answered,
      method: pieceOf('method'),
      path: asked,
      bytes: bytes && bytesPart(received, bytes),
      seconds: taken && takenPart(received, taken),
      client: pieceOf('client'),
    },
    columns,
  );
  for (const part of ['b1', 'b2', 'b3', 'protocol', 'b4'].map(pieceOf)) {
    showBehind(row, part && trim(received, part));
  }
  showTime(row, ground, pieceOf('time'));
  showTime(row, ground, pieceOf('stamp'));
  return row.line();
};

const trim = (received: string, {start, end}: Piece): Piece => {
  const text = received.slice(start, end);
  const isNothing = text.trim() === '-';
  return {start: start + text.length - text.trimStart().length, end: isNothing ? start : start + text.trimEnd().length};
};
