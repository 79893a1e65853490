import {wordsFrom} from './level-words.ts';

/** Returns the source of a pattern that finds a word in any case: several times as fast as the flag. */
const inAnyCase = (word: string): string => word.replace(/[a-z]/g, letter => `[${letter}${letter.toUpperCase()}]`);

/** The words without those that hold another one. */
const shortest = (words: readonly string[]): readonly string[] =>
  words.filter(word => !words.some(other => other !== word && word.includes(other)));

/** What else states a level at the start of a message after the head of syslog or the kernel's clock. */
const beginnings = `${inAnyCase('out of mem|memory cg|kill')}|BUG: |Oops|general prot|traps: |Abort|Illegal|terminate|double |munmap|corrupt|free\\(|m?alloc|realloc|SIG|[*#]|[abdz]*sh: |/|exec |Traceback|Un|e: |line \\d{1,7}: +\\d|<\\d|ORA|TNS|RMAN|PLS|[A-Z]{3,5}\\d{4,5}E: `;

/**
 * Beginnings of lines that are read on: a time, a bracket, an indent, a record, syslog's date, and the address of an
 * access line. A line that begins with anything else may be a program's last words.
 */
const plainStart =
  '[\\d[\\s{]|[A-Z][a-z]{2} [ \\d]\\d \\d\\d:|[\\w.-]{1,253}(?::\\d{1,5})?(?: [\\w.-]{1,64}){2,3} \\[\\d{1,2}/';

/**
 * Patterns for bytes read as Latin-1: where none of them ends in a line, `levelOf` finds no level from `error` on. They
 * see the end of the line before. Apart from each other, as together they take twice the time.
 */
export const createErrorSigns = (): readonly RegExp[] =>
  [
    [...shortest(wordsFrom('error')), 'fault', 'crash'].map(inAnyCase).join('|'),
    // What exceptions, HAProxy, Postfix and a cloud's functions say
    'xception|NotFound|Invalid|Assert|\\.rb:|=bounced|no server|is DOWN|Task timed',
    `\\n(?!${plainStart})[^]`,
    `(?:: +|\\] *)(?:${beginnings})`,
    // A status, no part of a path, time that was taken or browser's version; a letter; severities of Samba, Cisco, Xorg
    '(?:[^\\w./]|[A-Z_]/)5\\d\\d(?! ms\\b|\\.\\d)\\W|[^\\w.](?:[EFCA][^A-Za-z]|EE\\))|\\d[EFC][\\]! ]',
    // Severities of exim and Cisco
    ', {1,2}0[,\\]]|%[A-Z][\\w-]{1,64}-[0-3]-| \\*\\*[ *]',
    `(?:${['level', 'lvl', 'severity', 'priority'].map(inAnyCase).join('|')}|@l)[\\w.-]{0,8}["':= \\t]{1,6}0*(?:[0-4](?!\\d)|[5-9]\\d|4\\d\\d|(?:1[7-9]|2[0-4])(?!\\d))`,
    // A sequence that colours, or a letter that is struck over, may stand in the middle of any of these.
    '[\\x1b\\x08]',
  ].map(source => new RegExp(source, 'g'));
