/**
 * Escapes a text for Markdown, so that no character has a special meaning. The text must be one row and already safe to
 * draw.
 */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&');

/** Returns rows of text as a code block with a fence that none of them can close. */
export const fenceRows = (rows: readonly string[]): string => {
  const longest = rows.reduce(
    (most, row) => (row.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), most),
    0,
  );
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return [`${fence}text`, ...rows, fence].join('\n');
};

/** Returns a Markdown table; the cells must be Markdown already. */
export const formatRows = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
