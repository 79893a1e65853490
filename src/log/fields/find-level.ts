import {findLeadingLevel} from '../leading-level.ts';
import {type Level, levelOf} from '../level.ts';

// Where levelOf has found a level in one of these forms, this is the word that says so.
const phpMessage = /\bPHP [A-Z][a-z]+(?: [a-z]+)?(?: [a-z]+)?(?=:)/;
const systemHead = /^(?:<\d{1,3}>|[IWEF](?=\d{4} ))/;
const exceptionHead = /^(?:Traceback|Exception in thread|Uncaught|Unhandled|Fatal error|Parse error)\b/;
const exceptionNameCharsMax = 200;

type Place = {readonly level: Level; readonly start: number; readonly end: number};

const placeOfPattern = (pattern: RegExp, text: string, level: Level): Place | undefined => {
  const match = pattern.exec(text);
  return match ? {level, start: match.index, end: match.index + match[0].length} : undefined;
};

const placeOfException = (text: string, level: Level): Place | undefined => {
  const colon = text.slice(0, exceptionNameCharsMax).indexOf(': ');
  return colon > 0 && /(?:Error|Exception)$/.test(text.slice(0, colon)) ? {level, start: 0, end: colon} : undefined;
};

/**
 * The level of a line that is neither JSON nor an access line, and the word that says it; undefined where the line has no level
 * or says it in a field such as `level=error`.
 */
export const findLevel = (text: string): Place | undefined => {
  const level = levelOf(text);
  if (level === 'none') {
    return undefined;
  }
  const leading = findLeadingLevel(text);
  if (leading?.level === level && !text.includes('PHP ')) {
    return leading;
  }
  return (
    (text.includes('PHP ') ? placeOfPattern(phpMessage, text, level) : undefined) ??
    placeOfPattern(systemHead, text, level) ??
    placeOfPattern(exceptionHead, text, level) ??
    placeOfException(text, level) ??
    (leading?.level === level ? leading : undefined)
  );
};
