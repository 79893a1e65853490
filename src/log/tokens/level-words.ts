/** The levels, least serious first. */
export const levelNames = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

export type LevelName = (typeof levelNames)[number];

/** The severity that a line states; `none` if it states none. */
export type Level = LevelName | 'none';

/** All levels by rank. */
const levelsByRank: readonly Level[] = ['none', ...levelNames];

const ranks: ReadonlyMap<Level, number> = new Map(levelsByRank.map((level, rank) => [level, rank]));

/** Returns the rank of a level: a higher number is more serious, `none` is 0 and lowest. */
export const levelRank = (level: Level): number => ranks.get(level) ?? 0;

/** Returns the level of a rank. */
export const levelOfRank = (rank: number): Level => levelsByRank[rank] ?? 'none';

/** Returns the level of a request by the status of its answer: 5xx error, 4xx warn, any other info. */
export const levelOfStatus = (status: number): Level => (status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info');

const wordsOfLevels: Readonly<Record<LevelName, string>> = {
  trace: 'trace finest finer silly vrb trce trac trc',
  debug: 'debug dbg dbug debu fine verbose config debug1 debug2 debug3 debug4 debug5',
  info: 'info inf information informational notice note log default success',
  warn: 'warn warning wrn deprecated deprecation',
  error: 'error err eror erro severe fail',
  fatal: 'fatal ftl fata critical crit alert emerg emergency panic pani dpanic',
};

/** Returns all words for a level and those above it, in lower case. */
export const wordsFrom = (level: LevelName): readonly string[] =>
  levelNames.slice(levelNames.indexOf(level)).flatMap(name => wordsOfLevels[name].split(' '));

const levelOfKnownWord: ReadonlyMap<string, Level> = new Map(
  levelNames.flatMap(level => wordsOfLevels[level].split(' ').map(word => [word, level] as const)),
);

const wordCharsMax = 13;

/** Go's slog writes a level between two words as the lower one and what is above it: `ERROR+2`. */
const offset = /[+-]\d{1,2}$/;

/**
 * Returns the level that a word names, in any case and as loggers write it: `WARNING`, `err`, `Critical`; undefined for
 * other words.
 */
export const levelOfWord = (word: string): Level | undefined => {
  if (word.length > wordCharsMax) {
    return undefined;
  }
  const lower = word.toLowerCase();
  const hasDigit = word.charCodeAt(word.length - 1) <= 0x39;
  return levelOfKnownWord.get(lower) ?? (hasDigit ? levelOfKnownWord.get(lower.replace(offset, '')) : undefined);
};

/** The severities of RFC 5424, section 6.2.1, 0 to 7. */
const syslogLevels: readonly Level[] = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug'];

/** Returns the level of an RFC 5424 severity, or of a priority, whose last three bits are the severity. */
export const levelOfSyslog = (priority: number): Level => syslogLevels[priority & 7] ?? 'none';

/**
 * Returns the level of a number in a record: 0 to 7 are syslog severities, 10 to 60 the levels of pino and bunyan
 * including those in between, 100 to 600 those of Monolog (250 notice, 550 alert).
 */
export const levelOfNumber = (value: number): Level | undefined => {
  if (!Number.isInteger(value) || value < 0 || value > 600) {
    return undefined;
  }
  if (value < 8) {
    return levelOfSyslog(value);
  }
  return levelsByRank[value < 100 ? Math.min(6, Math.floor(value / 10)) : Math.min(6, Math.floor(value / 100) + 1)];
};

/** Returns the level of a severity of OpenTelemetry: six groups of four from trace (1 to 4) to fatal (21 to 24). */
export const levelOfSeverityNumber = (value: number): Level | undefined =>
  value >= 1 && value <= 24 ? levelsByRank[Math.ceil(value / 4)] : undefined;

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
