import {shapeMarks} from './shape-marks.ts';

/** A name ends before these. In what is folded already marks stand for parts of it. */
const name = String.raw`[^\s,;()[\]"]+`;
const host = String.raw`[\w‹›-]+(?:\.[\w‹›-]+)+`;

/** What precedes a name, and the name. Every repetition ends at a blank or a sign, so that none is slow. */
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
const hints = ['user', 'host', '@', '[‹ip›]', 'maps to', ' : '];
const refused = /(?:word|key|none|active\S*|ures?|ceeded|failed) for /;

/** Returns a folded text with marks for the names of users and hosts, where the words around them tell that. */
export const foldNames = (folded: string): string =>
  hints.some(hint => folded.includes(hint)) || (folded.includes(' for ') && refused.test(folded))
    ? folded.replace(named, `$1$2$3$4$5$6$7${shapeMarks.name}`)
    : folded;
