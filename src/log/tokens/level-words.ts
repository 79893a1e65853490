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
