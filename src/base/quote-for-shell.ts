/** Quotes an argument for a shell, if it needs quotes. */
export const quoteForShell = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
