import {RE2JS, RE2JSException} from 're2js';
import {UsageError} from '../io/usage-error.ts';

/** A longer pattern is a pasted log, not a pattern; its compiled form is bounded with it. */
export const linearPatternCharsMax = 10_000;

/** A pattern typed by the user, ready to be asked. */
export type LinearPattern = {test(text: string): boolean};

/**
 * Compiles a pattern for the linear engine: on V8 one hostile pattern takes 45 seconds for one line, and a command for
 * scripts has nobody to press Esc. The library's translation of JavaScript's syntax is left alone: it turns `\k<name>`
 * into plain letters, and a pattern that means something else is worse than one that is refused.
 * Throws `UsageError` for what RE2 cannot express (look-around, backreferences, counts over 1,000) and for bad syntax.
 */
export const compilePattern = (flagName: string, source: string): LinearPattern => {
  if (source.length > linearPatternCharsMax) {
    throw new UsageError(
      `--${flagName}: the pattern has ${source.length} characters, ${linearPatternCharsMax} are the most`,
    );
  }
  try {
    const compiled = RE2JS.compile(source);
    return {test: text => compiled.test(text)};
  } catch (error) {
    if (!(error instanceof RE2JSException)) {
      throw error;
    }
    const reason = error.message.replace(/^error parsing regexp: /, '');
    throw new UsageError(
      `--${flagName}: "${source}" can't be used, ${reason}; patterns are in the syntax of RE2, which has no look-around and no backreferences`,
    );
  }
};
