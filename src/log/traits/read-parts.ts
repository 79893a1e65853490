import {withoutSgr} from '#log/reading/level.ts';
import {Reading} from '#log/reading/reading.ts';
import {isOfForm, sourceOfFields, withoutPort} from '#log/reading/request.ts';
import type {PartSource} from '#log/reading/scan-text.ts';
import {type Level, levelRank} from '#log/tokens/level-words.ts';
import {foldPath, requestShapeOf} from './fold-path.ts';
import {foldText, shapeMarks} from './fold-text.ts';

/** A name ends before these. In what is folded already marks stand for parts of it. */
const name = String.raw`[^\s,;()[\]"]+`;
const host = String.raw`[\w‹›-]+(?:\.[\w‹›-]+)+`;

/** The prefix of a name, and the name. Every repetition ends at a blank or a sign, so that none is slow. */
const named = new RegExp(
  [
    // user=root, rhost=web-1.example.com; sudo's PWD
    String.raw`((?<![\w-])(?:r?user|user_?name|logname|login|acct|account|r?host|hostname|email|USER|PWD|COMMAND)="?)${name}`,
    // Failed password for root, Too many authentication failures for root, Invalid user root
    String.raw`((?:(?:password|publickey|none|keyboard-interactive\S*|failures?|attempts exceeded|ogin failed) for (?:(?:invalid|illegal) user )?|(?:for|[Ii]nvalid|[Ii]llegal) user ))${name}`,
    // User bob from, user bob logged in
    String.raw`(\b[Uu]ser )${name}(?= (?:from|by|at|logged) )`,
    // getaddrinfo for ns.example.com [10.1.2.3], mail.example.com[10.1.2.3], maps to ns.example.com
    String.raw`(\b(?:maps to|hostname) )${host}`,
    String.raw`()(?:${host}|\bunknown)(?= ?\[‹ip›\])`,
    // bob@example.com
    String.raw`()[\w.+‹›-]+@${host}`,
    // sudo: bob : user NOT in sudoers
    String.raw`(^)\S{1,64}(?= : (?:user NOT|‹n› incorrect|command not) )`,
  ].join('|'),
  'g',
);

/** One of these is in every text with such a name. */
const hints = ['user', 'User ', 'host', '@', '[‹ip›]', 'maps to', ' : '];
const refused = /(?:word|key|none|active\S*|ures?|ceeded|failed) for /;

/** Returns a folded text with marks for the names of users and hosts, where the words around them tell that. */
const foldNames = (folded: string): string =>
  hints.some(hint => folded.includes(hint)) || (folded.includes(' for ') && refused.test(folded))
    ? folded.replace(named, `$1$2$3$4$5$6$7${shapeMarks.name}`)
    : folded;

/** A part of a line and where it was read. */
export type LinePart<Value> = {readonly value: Value; readonly source: PartSource};

/** The facts of one line that a summary counts. */
export type LineParts = {
  readonly reading: Reading;
  /**
   * The message of the line, with marks for what changes from line to line, so that lines that say the same are counted
   * together: the message of a line of a known form, `GET /cart/‹n› 200` for a request.
   */
  readonly shape: LinePart<string>;
  readonly status: LinePart<number> | undefined;
  readonly path: LinePart<string> | undefined;
  readonly client: LinePart<string> | undefined;
};

/** A longer line is read only as far as it is shown. */
const readCharsMax = 16_384;

/** How far before a message the sign or word is looked for that a filter needs. */
const leadCharsMax = 24;

type Fold = (text: string) => string;
const warnRank = levelRank('warn');
/** For warnings and errors, who or where it was makes no different kind. */
const foldEvent: Fold = text => foldNames(foldText(text));

/** Returns what precedes a message: a sign, or the word of a level. */
const findLead = (text: string, start: number): string => {
  const before = text.slice(Math.max(0, start - leadCharsMax), start).trimEnd();
  const sign = before.slice(-1);
  return /\w/.test(sign) ? before.slice(before.lastIndexOf(' ') + 1) : sign;
};

/** Returns a message without the context that Monolog and others write after it. */
const withoutContext = (message: string): string => {
  const index = message.indexOf(' {"');
  return index <= 0 ? message : message.slice(0, index);
};

/** Returns the shape of a text: of its message if its form is known, and no colour cuts it, else of all of it. */
const shapeOfText = (received: string, {form}: Reading, fold: Fold): LinePart<string> => {
  const {message, label} = form?.texts ?? {};
  const start =
    message === undefined ? -1 : label === undefined ? received.lastIndexOf(message) : received.indexOf(label);
  if (message === undefined || start <= 0) {
    return {value: fold(received), source: 'text'};
  }
  const said = label === undefined ? withoutContext(message) : received.slice(start);
  return {value: fold(said), source: `>${findLead(received, start)}`};
};

/** Fields by which other lines than records say more than their request does. */
const saying = /(?:^|\s)(?:msg|message|event|desc|err|error)=/;

/** Returns the shape of the request that a line reports and that is all it says. */
const shapeOfRequest = (reading: Reading, folded: string | undefined): LinePart<string> | undefined => {
  const {text, record, said} = reading;
  const {method, path, status} = said;
  if (status === undefined || (record ?? reading.form?.texts)?.message !== undefined) {
    return undefined;
  }
  const value = `${requestShapeOf(method?.text, folded)} ${status.text}`;
  if (isOfForm(status.source)) {
    return {value, source: status.source};
  }
  const isPaired = status.source.endsWith('=');
  return method?.place && path?.place && status.place && (record !== undefined || (isPaired && !saying.test(text)))
    ? {value, source: sourceOfFields({method, path, status})}
    : undefined;
};

const shapeOf = (received: string, reading: Reading, folded: string | undefined): LinePart<string> => {
  const {record, text} = reading;
  const {message} = record ?? {};
  const asked = shapeOfRequest(reading, folded);
  const fold = levelRank(reading.level) >= warnRank ? foldEvent : foldText;
  if (asked !== undefined || message === undefined) {
    return asked ?? (record ? {value: fold(received), source: 'text'} : shapeOfText(received, reading, fold));
  }
  return {value: fold(text.slice(message.start, message.end)), source: message.name};
};

/**
 * Reads the parts of a line that a summary counts, from the text as received; pass its level if it is known. Requests
 * give their status, path and client; JSON and logfmt records those of their fields; error lines of web servers those
 * of the request they report.
 */
export const readLineParts = (received: string, level?: Level): LineParts => {
  const cut = received.length > readCharsMax ? received.slice(0, readCharsMax) : received;
  const reading = new Reading(withoutSgr(cut), level);
  const {status, path, client} = reading.said;
  const folded = path && foldPath(path.text);
  return {
    reading,
    shape: shapeOf(cut, reading, folded),
    status: status && {value: Number(status.text), source: status.source},
    path: path && folded !== undefined ? {value: folded, source: path.source} : undefined,
    client: client && {value: withoutPort(client.text), source: client.source},
  };
};
