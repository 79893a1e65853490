import {type Level, levelOfWord} from './level-words.ts';

/** A level and the word that names it: code units `start` up to but not including `end`. */
export type LevelPlace = {readonly level: Level; readonly start: number; readonly end: number};

/**
 * A date in brackets is five words; a host, a process, a thread and a logger may follow; after that comes the message.
 */
const leadingTokensMax = 10;

const openers = '[(<|"\'';
const closers = '])>|:!,;"\'-';
const wordCharsMin = 3;
const wordCharsMax = 13;
const bracketedTime = /^\[\d.*\]$/;
const headEnd = /[\]:|\dZ-]$/;

// Words of a sentence: after one of them, an upper-case level is mentioned, not declared.
const sentenceWord = /^(?:a|an|and|any|as|at|for|if|in|is|no|non|not|of|on|or|the|to|was|with|without|zero|0)$/i;

/** A token, the code units `start` to `end` of the text, and the token before it. */
type Token = {readonly text: string; readonly start: number; readonly end: number; readonly previous: string};

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0;
const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isLetter = (code: number): boolean => isUpper(code & ~0x20);

const placeOf = (text: string, start: number, end: number): LevelPlace | undefined => {
  const length = end - start;
  const level = length < wordCharsMin || length > wordCharsMax ? undefined : levelOfWord(text.slice(start, end));
  return level === undefined ? undefined : {level, start, end};
};

/** Finds a level in a token like `[core:error]`, `[WARN]` or `|INFO|`, in any case. */
const findBracketed = ({text, start, end}: Token): LevelPlace | undefined => {
  const [first, last] = [text[start], text[end - 1]];
  if (!(first === '[' && last === ']') && !(first === '|' && last === '|')) {
    return undefined;
  }
  const colon = text.lastIndexOf(':', end - 1);
  return placeOf(text, Math.max(start, colon) + 1, end - 1);
};

const skipOpeners = (text: string, start: number, end: number): number => {
  let index = start;
  while (index < end && openers.includes(text.charAt(index))) {
    index += 1;
  }
  return index;
};

const skipClosers = (text: string, start: number, end: number): number => {
  let index = end;
  while (index > start && closers.includes(text.charAt(index - 1))) {
    index -= 1;
  }
  return index;
};

/**
 * Finds a level in an upper-case token: `ERROR`, `ERROR:`, `ERR!`, `ERROR:root:text`, `production.ERROR:`, `ERRO[0001]`
 * (logrus), `ERROR/MainProcess]` (celery).
 */
const findUpperCase = ({text, start, end, previous}: Token): LevelPlace | undefined => {
  let from = skipOpeners(text, start, end);
  let to = from;
  const isDotted = text[end - 1] === ':';
  while (to < end && (isUpper(text.charCodeAt(to)) || (isDotted && isLetter(text.charCodeAt(to))))) {
    to += 1;
    if (isDotted && text[to] === '.') {
      to += 1;
      from = to;
    }
  }
  const letters = to - from;
  if (letters < wordCharsMin || letters > wordCharsMax || !isUpper(text.charCodeAt(from))) {
    return undefined;
  }
  if (isDigit(text.charCodeAt(to))) {
    to += 1;
  }
  const isWhole =
    to === end ||
    text[to] === ':' ||
    (text[to] === '[' && isDigit(text.charCodeAt(to + 1))) ||
    (text[to] === '/' && text[end - 1] === ']') ||
    skipClosers(text, to, end) === to;
  const word = text.slice(from, to);
  return isWhole && word === word.toUpperCase() && !sentenceWord.test(previous) ? placeOf(text, from, to) : undefined;
};

/** Checks for a TAB (spaces in sanitised text) on both sides of the token. */
const isBetweenTabs = ({text, start, end, previous}: Token): boolean =>
  (text[start - 1] === '\t' && text[end] === '\t') ||
  (text.startsWith('  ', start - 2) && text.startsWith('  ', end) && /[\dZ]$/.test(previous));

/**
 * Finds a level in a token of any case that is a label because of its colon, `error:`, or because some loggers put
 * their level in that place.
 */
const findLabel = (token: Token): LevelPlace | undefined => {
  const {text, start, end, previous} = token;
  if (!isLetter(text.charCodeAt(start))) {
    return undefined;
  }
  const isLabel = text[end - 1] === ':' && (previous === '' || headEnd.test(previous));
  return isLabel || isBetweenTabs(token) || bracketedTime.test(previous)
    ? placeOf(text, start, skipClosers(text, start, end))
    : undefined;
};

/** Elasticsearch: [2026-11-21T14:02:11,031][WARN ][o.e.c.r.a.DiskThresholdMonitor] … */
const adjoining = /^(\[\d[\d:T ,.Z+-]{18,34}\]\[)([A-Z]{4,5}) ?\]\[/;

const findAdjoining = (text: string): LevelPlace | undefined => {
  const [, before = '', word = ''] = (text.startsWith('[') ? adjoining.exec(text) : null) ?? [];
  return word === '' ? undefined : placeOf(text, before.length, before.length + word.length);
};

/**
 * Finds the level word in the leading part of a line, before its message: in brackets (nginx, Apache, gunicorn), in
 * upper case (log4j, logback, PostgreSQL, PHP-FPM, Monolog, Python), as a label at the start or after the head
 * (`error:`), after a time in brackets (code-server) or between tabs (zap). Returns undefined if there is none: "no
 * error" and "errors=0" are words of a message.
 */
export const findLeadingLevel = (text: string): LevelPlace | undefined => {
  const adjoined = findAdjoining(text);
  if (adjoined !== undefined) {
    return adjoined;
  }
  let previous = '';
  let index = 0;
  for (let count = 0; count < leadingTokensMax; count += 1) {
    while (index < text.length && isBlank(text.charCodeAt(index))) {
      index += 1;
    }
    if (index === text.length) {
      return undefined;
    }
    const start = index;
    while (index < text.length && !isBlank(text.charCodeAt(index))) {
      index += 1;
    }
    const token = {text, start, end: index, previous};
    const place = findBracketed(token) ?? findUpperCase(token) ?? findLabel(token);
    if (place !== undefined) {
      return place;
    }
    previous = text.slice(start, index);
  }
  return undefined;
};
