import {RE2JS, RE2JSException} from 're2js';
import {UsageError} from '#cli/io/usage-error.ts';

/** Anything longer is a pasted log, not a pattern. Also bounds the size of the compiled pattern. */
export const linearPatternCharsMax = 10_000;

/** A compiled pattern from the command line. */
export type LinearPattern = {
  test(text: string): boolean;
  /** Returns the ranges of the matches in code units; leaves out empty ones and those past a bound. */
  spans(text: string): readonly (readonly [start: number, end: number])[];
};

/** Nobody can see more than these in one line. */
const spansMax = 200;

/**
 * Compiles a pattern with RE2, which matches in linear time: on V8 a hostile pattern takes 45 seconds for one line, and
 * nobody is there to press Esc in a script. Does not use the library's translation of JavaScript syntax: it turns
 * `\k<name>` into plain letters, and a pattern with a different meaning is worse than an error.
 * Throws `UsageError` for invalid syntax and for what RE2 lacks: look-around, backreferences, counts over 1,000.
 */
export const compilePattern = (flagName: string, source: string): LinearPattern => {
  if (source.length > linearPatternCharsMax) {
    throw new UsageError(
      `--${flagName}: the pattern has ${source.length} characters, at most ${linearPatternCharsMax} are allowed`,
    );
  }
  try {
    const compiled = RE2JS.compile(source);
    return {
      test: text => compiled.test(text),
      spans: text => {
        const matcher = compiled.matcher(text);
        const spans: (readonly [number, number])[] = [];
        while (spans.length < spansMax && matcher.find()) {
          if (matcher.end() > matcher.start()) {
            spans.push([matcher.start(), matcher.end()]);
          }
        }
        return spans;
      },
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) {
      throw error;
    }
    const reason = error.message.replace(/^error parsing regexp: /, '');
    throw new UsageError(
      `--${flagName}: "${source}" can't be used: ${reason}; patterns use RE2 syntax, which has no look-around and no backreferences`,
    );
  }
};
