import {beforeNames, moveToNextName} from '../record/next-name.ts';
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

/** The length of the longest key. */
const keyCharsMax = 10;

const scalar = /"([^"\\]{1,16})"|(\d{1,3})(?=[\s,}])/y;

const readLevelAt = (text: string, index: number): Level | undefined => {
  scalar.lastIndex = index;
  const [, word, number] = scalar.exec(text) ?? [];
  const value = word ?? number;
  return value === undefined ? undefined : levelOfValue(value);
};

/**
 * Returns the level of a JSON record, from a field of its outermost object or from ECS's nested `log.level`; undefined
 * if there is none. Works on truncated records too; ignores a level in the text of a message or deeper in the record.
 */
export const levelOfJson = (text: string): Level | undefined => {
  const name = beforeNames();
  let isInLogObject = false;
  while (moveToNextName(text, name)) {
    const {start, end, depth, valueStart} = name;
    isInLogObject &&= depth > 1;
    const key = depth <= 2 && end - start <= keyCharsMax ? text.slice(start, end) : '';
    if ((depth === 1 && levelKeys.has(key)) || (depth === 2 && isInLogObject && key === 'level')) {
      const level = readLevelAt(text, valueStart);
      if (level !== undefined) {
        return level;
      }
    } else if (depth === 1 && key === 'log') {
      isInLogObject = text.startsWith('{', valueStart);
    }
  }
  return undefined;
};
