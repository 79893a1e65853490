/** The levels, least serious first. */
export const levelNames = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

export type LevelName = (typeof levelNames)[number];

/** The severity that a line states; `none` if it states none. */
export type Level = LevelName | 'none';

/** All levels by rank. */
export const levelsByRank: readonly Level[] = ['none', ...levelNames];

/** Returns the more serious of two levels; the first if they are equal. */
export const worseLevel = (a: Level | undefined, b: Level | undefined): Level | undefined =>
  levelsByRank.indexOf(b ?? 'none') > levelsByRank.indexOf(a ?? 'none') ? b : a;

const wordsOfLevels: Readonly<Record<LevelName, string>> = {
  trace: 'trace finest finer silly vrb trce trac',
  debug: 'debug dbg dbug debu fine verbose config debug1 debug2 debug3 debug4 debug5',
  info: 'info inf information informational notice note log default success',
  warn: 'warn warning wrn deprecated deprecation',
  error: 'error err eror erro severe fail',
  fatal: 'fatal ftl fata critical crit alert emerg emergency panic pani dpanic',
};

const levelOfKnownWord: ReadonlyMap<string, Level> = (() => {
  const map = new Map<string, Level>();
  for (const level of levelNames) {
    for (const word of wordsOfLevels[level].split(' ')) {
      map.set(word, level);
    }
  }
  return map;
})();

const wordCharsMax = 13;

/**
 * Returns the level that a word names, in any case and as loggers write it: `WARNING`, `err`, `Critical`; undefined for
 * other words.
 */
export const levelOfWord = (word: string): Level | undefined =>
  word.length > wordCharsMax ? undefined : levelOfKnownWord.get(word.toLowerCase());

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
  if (value < 100) {
    return levelsByRank[Math.min(6, Math.floor(value / 10))];
  }
  if (value < 200) {
    return 'debug';
  }
  if (value < 300) {
    return 'info';
  }
  if (value < 400) {
    return 'warn';
  }
  return value < 500 ? 'error' : 'fatal';
};

/** Returns the level that a field's value names, a word or a number. */
export const levelOfValue = (value: string): Level | undefined =>
  /^\d{1,3}$/.test(value) ? levelOfNumber(Number(value)) : levelOfWord(value);
