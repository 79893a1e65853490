import {type Level, levelOfWord} from './level-words.ts';

/** A date in brackets is five words, a host, a process, a thread and a logger may follow; further in stands the message. */
const leadingTokensMax = 10;

const token = /\S+/g;
const openers = /^[[(<|"']+/;
const closers = /[\])>|:!,;"'-]+$/;
const upperWord = /^[A-Z]{3,13}\d?$/;
const letters = /^[A-Za-z]{3,13}$/;
const bracketedTime = /^\[\d.*\]$/;
const headEnd = /[\]:|\dZ-]$/;

// Words of a sentence: with one of them before it, an upper-case level is spoken of, not declared.
const sentenceWord = /^(?:a|an|and|any|as|at|for|if|in|is|no|non|not|of|on|or|the|to|was|with|without|zero|0)$/i;

/** Level of a token like `[core:error]`, `[WARN]` or `|INFO|`, in any case. */
const levelOfBracketed = (word: string): Level | undefined =>
  (word.startsWith('[') && word.endsWith(']')) || (word.startsWith('|') && word.endsWith('|'))
    ? levelOfWord(word.slice(Math.max(0, word.lastIndexOf(':')) + 1, -1))
    : undefined;

/** Level of a token in upper case: `ERROR`, `ERROR:`, `ERR!`, `ERROR:root:text`, `production.ERROR:`. */
const levelOfUpperCase = (word: string): Level | undefined => {
  const bare = word.replace(openers, '').replace(closers, '');
  const head = bare.includes(':') ? bare.slice(0, bare.indexOf(':')) : bare;
  const name = word.endsWith(':') ? head.slice(head.lastIndexOf('.') + 1) : head;
  return upperWord.test(name) ? levelOfWord(name) : undefined;
};

/** Level of a token in any case that a colon makes a label, `error:`, or that stands where some loggers have their level. */
const levelOfLabel = (word: string, previous: string, isBetweenTabs: boolean): Level | undefined => {
  const isLabel = word.endsWith(':') && (previous === '' || headEnd.test(previous));
  if (!isLabel && !isBetweenTabs && !bracketedTime.test(previous)) {
    return undefined;
  }
  const name = word.replace(closers, '');
  return letters.test(name) ? levelOfWord(name) : undefined;
};

/**
 * The level that stands as a word in the leading part of a line, before its message: in brackets (nginx, Apache, gunicorn), in
 * upper case (log4j, logback, PostgreSQL, PHP-FPM, Monolog, Python), as a label at the start or behind the head (`error:`), behind
 * a time in brackets (code-server) or between tabs (zap). Undefined where there is none: "no error" and "errors=0" are
 * words of a message.
 */
export const levelOfLeadingWords = (text: string): Level | undefined => {
  let previous = '';
  let count = 0;
  for (const match of text.matchAll(token)) {
    const [word] = match;
    const isBetweenTabs = text[match.index - 1] === '\t' && text[match.index + word.length] === '\t';
    const level =
      levelOfBracketed(word) ??
      (sentenceWord.test(previous) ? undefined : levelOfUpperCase(word)) ??
      levelOfLabel(word, previous, isBetweenTabs);
    if (level !== undefined) {
      return level;
    }
    previous = word;
    count += 1;
    if (count === leadingTokensMax) {
      break;
    }
  }
  return undefined;
};
