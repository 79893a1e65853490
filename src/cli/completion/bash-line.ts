/**
 * Matches a word as typed in bash: plain letters, letters after a backslash, and quoted pieces, the last of which may
 * still be open.
 */
const typedWord = /(?:\\.?|'[^']*'?|"(?:\\.|[^"\\])*\\?"?|[^\s'"\\])+/gsu;

const quotedPiece = /\\(.?)|'([^']*)'?|"((?:\\.|[^"\\])*)\\?"?/gsu;

/** Returns the word that bash makes of a typed one. Variables and commands in it are kept as text and never run. */
const unquote = (raw: string): string =>
  raw.replace(
    quotedPiece,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? (double ?? '').replace(/\\(["\\$`])/g, '$1'),
  );

/**
 * Reads a command line up to the cursor, including the program name. `before`: the words before the one at the cursor,
 * without that name. `typed`: the one at the cursor so far, unquoted; `raw`: with its quotes.
 */
export const splitBashLine = (line: string) => {
  const typedWords: readonly string[] = line.match(typedWord) ?? [];
  const last = typedWords.at(-1) ?? '';
  const isAtWord = typedWords.length > 1 && line.endsWith(last);
  const raw = isAtWord ? last : '';
  return {before: typedWords.slice(1, isAtWord ? -1 : undefined).map(unquote), typed: unquote(raw), raw};
};

/** Returns the quote that is still open at the end of the typed word. */
const openQuote = (raw: string): string | undefined =>
  /['"]/.exec(raw.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gsu, ''))?.[0];

/**
 * Turns a completed word into what bash expects. Bash replaces only `current`: the end of the word after its last break
 * (`=`, `:`) or its open quote. Special characters get a backslash.
 */
export const answerBash = (raw: string, current: string): ((word: string) => string) => {
  const before = raw.endsWith(current) ? raw.slice(0, raw.length - current.length) : '';
  const skipped = unquote(before).length;
  const quote = openQuote(before);
  const special = quote === "'" ? undefined : quote === '"' ? /["\\$`]/g : /[^\p{L}\p{M}\p{N}_@%+,./:=-]/gu;
  return word => {
    const rest = word.slice(skipped);
    return special === undefined ? rest : rest.replace(special, '\\$&');
  };
};
