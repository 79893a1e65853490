import {type Level, levelOfValue} from './level-words.ts';

/** Fields that hold a level: pino, bunyan, zap, logrus, Monolog, ECS (flat), Google Cloud, Serilog's compact format. */
const levelKeys: ReadonlySet<string> = new Set([
  'level',
  'severity',
  'lvl',
  'log.level',
  'level_name',
  'loglevel',
  'levelname',
  '@l',
]);

const quote = 0x22;
const backslash = 0x5c;

/** Index behind the closing quote of the string that opens at `start`, or -1 where the text ends first. */
const findStringEnd = (text: string, start: number): number => {
  for (let i = start + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === backslash) {
      i += 1;
    } else if (code === quote) {
      return i + 1;
    }
  }
  return -1;
};

const scalarAfterColon = /\s*:\s*(?:"([^"\\]{1,16})"|(\d{1,3})(?=[\s,}]))/y;
const colon = /\s*:\s*/y;

const readLevelAt = (text: string, index: number): Level | undefined => {
  scalarAfterColon.lastIndex = index;
  const [, word, number] = scalarAfterColon.exec(text) ?? [];
  const value = word ?? number;
  return value === undefined ? undefined : levelOfValue(value);
};

const isLogObjectAt = (text: string, index: number): boolean => {
  colon.lastIndex = index;
  return colon.test(text) && text.startsWith('{', colon.lastIndex);
};

/**
 * The level of a record in JSON, from a field of its outermost object or from ECS's nested `log.level`; undefined where there
 * is none. It reads on from string to string without parsing, so a record that is cut off has its level too, and a level in
 * the text of a message or deeper in the record deceives nobody.
 */
export const levelOfJson = (text: string): Level | undefined => {
  let depth = 0;
  let isInLogObject = false;
  let i = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code !== quote) {
      if (code === 0x7b || code === 0x5b) {
        depth += 1;
      } else if (code === 0x7d || code === 0x5d) {
        depth -= 1;
        isInLogObject &&= depth > 1;
      }
      i += 1;
      continue;
    }
    const end = findStringEnd(text, i);
    if (end === -1) {
      return undefined;
    }
    const key = depth <= 2 && end - i <= 12 ? text.slice(i + 1, end - 1) : '';
    if ((depth === 1 && levelKeys.has(key)) || (depth === 2 && isInLogObject && key === 'level')) {
      const level = readLevelAt(text, end);
      if (level !== undefined) {
        return level;
      }
    } else if (depth === 1 && key === 'log') {
      isInLogObject = isLogObjectAt(text, end);
    }
    i = end;
  }
  return undefined;
};
