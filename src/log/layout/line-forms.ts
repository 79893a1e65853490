import type {Piece} from '../fields/access-line.ts';
import {findTimeEnd} from '../fields/find-time.ts';
import type {Level} from '../level/level.ts';
import {levelOfWord} from '../level/level-words.ts';

/** The parts of a text line in a known form. */
export type FormParts = {
  readonly time: Piece | undefined;
  /** The word that states the level. */
  readonly level: Piece | undefined;
  /** A kind of error that reads better with its message: `PHP Fatal error`. */
  readonly label: Piece | undefined;
  readonly message: Piece;
  /** What belongs behind the message, in order. */
  readonly behind: readonly Piece[];
};

/** What must stand before a form: a time in brackets, a time, or nothing. */
type Before = 'bracketed' | 'time' | 'any' | 'none';

/**
 * A form of lines, from after the time. The groups are the parts; `b1` to `b4` belong behind the message. Every
 * repetition is bounded or over disjoint characters, so that none can be slow.
 */
type Form = {readonly before: readonly Before[]; readonly pattern: RegExp};

const word = '(?<level>[A-Za-z]{3,13})';
const upper = '(?<level>[A-Z]{3,13})';
const message = '(?<message>\\S.*)';
const logger = String.raw`[\w.$/-]{1,128}`;

const formOf = (before: readonly Before[], source: string): Form => ({before, pattern: new RegExp(`${source}$`, 'dy')});

/** `executor.Backend` */
const dotted = String.raw`[\w$]{1,64}(?:\.[\w$]{1,64}){1,12}`;

const dated = ['bracketed', 'time'] as const;

const forms: readonly Form[] = [
  // NOTICE: PHP message: PHP Fatal error:  Uncaught Error: …
  formOf(
    ['bracketed', 'none'],
    `(?:NOTICE: PHP message: )?(?<label>PHP (?:Fatal error|Recoverable fatal error|Catchable fatal error|Parse error|(?:Core|Compile|User) (?:error|warning|notice)|(?:Core |Compile |User )?(?:Warning|Notice|Deprecated|Error)|Strict Standards)): {1,4}${message}`,
  ),
  formOf(['bracketed', 'none'], `NOTICE: PHP message: ${message}`),
  // Monolog: [2026-11-21T14:02:11+00:00] app.ERROR: …
  formOf(['bracketed'], String.raw`(?<b1>[\w-]{1,64})\.${upper}: (?<message>\S.*?)(?: \[\]){0,2}`),
  // nginx: 2026/11/21 14:02:11 [error] 31#31: *40112 upstream timed out …, client: 10.2.0.7, server: …
  formOf(
    ['time'],
    String.raw`\[${word}\] (?<b2>\d{1,10}#\d{1,10}): (?:(?<b3>\*\d{1,19}) )?(?<message>\S.*?)(?:, (?<b1>client: .*))?`,
  ),
  // Apache: [Sat Nov 21 14:02:11.123456 2026] [core:error] [pid 12:tid 34] [client 10.2.0.7:80] AH00126: …
  formOf(
    ['bracketed'],
    String.raw`\[(?:(?<b2>\w{1,32}):)?${word}\d?\] (?:\[(?<b3>pid [^\]]{1,64})\] )?(?:\[(?<b1>client [^\]]{1,64})\] )?${message}`,
  ),
  // Python: 2026-11-21 14:02:11,031 - shop.cart - ERROR - …, ERROR:shop.cart:…
  formOf(['time'], `- (?<b1>${logger}) - ${upper} - ${message}`),
  formOf(['none'], String.raw`(?<level>DEBUG|INFO|WARNING|ERROR|CRITICAL):(?<b1>[\w.]{1,128}):${message}`),
  // Spring Boot: 2026-11-21T14:02:11.031Z  INFO 1 --- [main] c.e.Shop  : …
  formOf(['time'], String.raw`${upper} (?<b3>\d{1,10}) --- \[ *(?<b2>[^\]]{1,80})\] (?<b1>${logger}) *: ${message}`),
  // Logback: 14:02:11.031 [main] INFO  c.e.Shop - …; Hadoop: 2015-10-18 18:01:47,978 INFO [main] org.A: …
  formOf(['time'], String.raw`\[(?<b2>[^\]]{1,80})\] ${upper} {1,3}(?<b1>${logger}) - ${message}`),
  formOf(['time'], String.raw`${upper} {1,3}\[(?<b2>[^\]]{1,80})\] (?<b1>${logger})(?::| -) ${message}`),
  // ZooKeeper: 2015-07-29 17:41:44,747 - INFO  [QuorumPeer[myid=1]/0:0:0:0:0:0:0:0:2181:Learner@774] - …
  formOf(['time'], String.raw`- ${upper} {1,3}\[(?<b1>\S{1,160})\] - ${message}`),
  // Spark, Log4j: 17/06/09 20:10:40 INFO executor.Backend: …; HDFS: 081109 203615 148 INFO dfs.DataNode: …
  formOf(['time'], String.raw`(?:(?<b2>\d{1,10}) )?${upper} {1,3}(?<b1>${dotted}): ${message}`),
  // OpenStack: 2017-05-16 00:00:00.008 2574 INFO nova.compute [req-3810e57a … - -] …
  formOf(['time'], String.raw`(?<b3>\d{1,10}) ${upper} (?<b1>${dotted}) \[(?<b2>[^\]]{1,200})\] ${message}`),
  // Android: 03-17 16:13:38.811  1702  2395 W ActivityManager: …
  formOf(['time'], String.raw`(?<b2>\d{1,10} {1,8}\d{1,10}) (?:[IWE]|(?<b3>[VDF])) (?<b1>[^ :][^:]{0,63}): ${message}`),
  // klog: E1121 14:02:11.031000       1 reflector.go:138] …
  formOf(
    ['none'],
    String.raw`(?:[IWE]|(?<b3>F))(?<time>\d{4} \d\d:\d\d:\d\d\.\d{6}) {1,8}(?<b2>\d{1,10}) (?<b1>[\w.-]{1,64}:\d{1,6})\] ${message}`,
  ),
  // Time and level: 2026-11-21T14:02:11Z ERROR …, [14:02:11] [warn] …, [21-Nov-2026 14:02:11] WARNING: …
  formOf(dated, String.raw`(?:\[${word}\]|${upper.replace('level', 'level2')}:?) {1,3}${message}`),
  formOf(dated, `(?<level>trace|debug|info|warn|warning|error|fatal|critical):? {1,3}${message}`),
];

/** syslog: Jun 14 15:16:01 web sshd[12]: …, with a month's name or a process id, so that it is certain. */
const syslog = {
  named: /(?<b2>[\w.-]{1,128}) (?<b1>[\w./()-]{1,64}(?:\[\d{1,10}\])?): (?<message>\S.*)$/dy,
  numbered: /(?<b2>[\w.-]{1,128}) (?<b1>[\w./()-]{1,64}\[\d{1,10}\]): (?<message>\S.*)$/dy,
};

type Head = {readonly before: Before; readonly time: Piece | undefined; readonly next: number};

const readHead = (received: string): Head => {
  const isBracketed = received.startsWith('[');
  const start = isBracketed ? 1 : 0;
  const end = findTimeEnd(received, start, !isBracketed);
  const close = isBracketed ? '] ' : ' ';
  if (end === -1 || !received.startsWith(close, end)) {
    return {before: 'none', time: undefined, next: 0};
  }
  let next = end + close.length;
  while (received[next] === ' ') {
    next += 1;
  }
  return {before: isBracketed ? 'bracketed' : 'time', time: {start, end}, next};
};

const behindNames = ['b1', 'b2', 'b3'] as const;

const toParts = (
  match: RegExpExecArray,
  received: string,
  time: Piece | undefined,
  lineLevel: Level,
): FormParts | undefined => {
  const ranges = match.indices?.groups ?? {};
  const pieceOf = (name: string): Piece | undefined => {
    const range = ranges[name];
    return range === undefined ? undefined : {start: range[0], end: range[1]};
  };
  const level = pieceOf('level') ?? pieceOf('level2');
  const said = pieceOf('message');
  // A word in the place of a level that does not state the line's level: the line is of another form.
  const isForeign = level !== undefined && levelOfWord(received.slice(level.start, level.end)) !== lineLevel;
  return said === undefined || isForeign
    ? undefined
    : {
        time: time ?? pieceOf('time'),
        level,
        label: pieceOf('label'),
        message: said,
        behind: behindNames.map(pieceOf).filter(piece => piece !== undefined),
      };
};

const formsOf = (received: string, {before, time, next}: Head): readonly RegExp[] => {
  const known = forms.filter(form => form.before.includes(before)).map(({pattern}) => pattern);
  if (before !== 'time' || time === undefined) {
    return known;
  }
  const isNamed = /^[A-Z]/.test(received) && next > 0;
  return [...known, isNamed ? syslog.named : syslog.numbered];
};

/**
 * Finds the parts of a text line of a form that is certain: PHP, Monolog, nginx, Apache, Python, Java, OpenStack,
 * Android, klog, syslog, a time with a level, or only a time. A form whose level is not `lineLevel` does not count.
 * Returns undefined for any other line.
 */
export const readFormParts = (received: string, lineLevel: Level): FormParts | undefined => {
  const head = readHead(received);
  for (const pattern of formsOf(received, head)) {
    pattern.lastIndex = head.next;
    const match = pattern.exec(received);
    const parts = match === null ? undefined : toParts(match, received, head.time, lineLevel);
    if (parts !== undefined) {
      return parts;
    }
  }
  const message = {start: head.next, end: received.length};
  return head.time && {time: head.time, level: undefined, label: undefined, message, behind: []};
};
