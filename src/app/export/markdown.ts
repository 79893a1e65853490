/** A text in Markdown in which nothing has a meaning, in one row: it is to be safe to draw already. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&');

/** Rows of text as a code block, with a fence that none of them can close. */
export const fenceRows = (rows: readonly string[]): string => {
  const longest = rows.reduce(
    (most, row) => (row.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), most),
    0,
  );
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return [`${fence}text`, ...rows, fence].join('\n');
};

/** A table; its cells are Markdown already. */
export const formatRows = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
