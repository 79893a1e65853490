import type {NotifyRules} from '#app/parts/call-user.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import type {NotifySettings} from '#config/settings/sections.ts';
import {parsePattern, patternFlags} from '#log/pattern/parse-pattern.ts';

/**
 * Returns when to notify the user, by `[notify]` of the config file; undefined if never. The pattern is tested on the
 * drawing thread, so a regular expression runs in the linear engine, which is loaded only then. Throws a `UsageError`
 * for an invalid pattern.
 */
export const readNotifyRules = async (settings: NotifySettings): Promise<NotifyRules | undefined> => {
  const {bell, osc9, command, pattern, firstError, quietMs} = settings;
  if ((!bell && !osc9 && command === undefined) || (pattern === '' && !firstError)) {
    return undefined;
  }
  return {firstError, quietMs, matches: pattern === '' ? undefined : await compile(pattern)};
};

const compile = async (query: string): Promise<(text: string) => boolean> => {
  const pattern = parsePattern(query);
  if ('error' in pattern) {
    throw new UsageError(`[notify] pattern: ${pattern.error}`);
  }
  if (pattern.kind === 'literal') {
    // Plain text, which can't backtrack.
    const literal = new RegExp(pattern.source, patternFlags(pattern));
    return text => literal.test(text);
  }
  const {createRe2Matcher} = await import('#app/search/re2-matcher.ts');
  try {
    const matcher = createRe2Matcher(pattern);
    return text => matcher.findSpans(text).length > 0;
  } catch {
    throw new UsageError(
      `[notify] pattern: "${query}" uses what the linear engine does not support: look-around, backreferences or counts over 1,000`,
    );
  }
};
