/**
 * A word as it is typed in bash: plain letters, letters behind a backslash, and quoted pieces, the last of which may be
 * open.
 */
const typedWord = /(?:\\.?|'[^']*'?|"(?:\\.|[^"\\])*\\?"?|[^\s'"\\])+/gsu;

const quotedPiece = /\\(.?)|'([^']*)'?|"((?:\\.|[^"\\])*)\\?"?/gsu;

/**
 * The word that bash makes of a typed one. Variables and commands in it are left as they are, and nothing is carried
 * out.
 */
const unquote = (raw: string): string =>
  raw.replace(
    quotedPiece,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? (double ?? '').replace(/\\(["\\$`])/g, '$1'),
  );

export type BashLine = {
  /** The words before the cursor's, without the program's name. */
  readonly before: readonly string[];
  /** The word at the cursor, so far; and as it is typed, quotes and all. */
  readonly typed: string;
  readonly raw: string;
};

/** Reads a command line up to the cursor, program's name first. */
export const splitBashLine = (line: string): BashLine => {
  const typedWords: readonly string[] = line.match(typedWord) ?? [];
  const last = typedWords.at(-1) ?? '';
  const isAtWord = typedWords.length > 1 && line.endsWith(last);
  const raw = isAtWord ? last : '';
  return {before: typedWords.slice(1, isAtWord ? -1 : undefined).map(unquote), typed: unquote(raw), raw};
};

/** The quote that is open at the end of what was typed. */
const openQuote = (raw: string): string | undefined =>
  /['"]/.exec(raw.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gsu, ''))?.[0];

/**
 * How a whole word is answered to bash, which only puts something in the place of `current`: the end of the word after
 * its last break (`=`, `:`) or its open quote. What is special there gets a backslash.
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
