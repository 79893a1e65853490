/** A frame without its colours and links, for a terminal that takes no control sequences. */
export const toPlainText = (frame: string): string =>
  frame
    .replaceAll(/\u001b(?:\[[0-9;:]*m|\]8;;[!-~]*\u001b\\)/g, '')
    .split('\n')
    .map(row => row.trimEnd())
    .join('\n')
    .trimEnd();
