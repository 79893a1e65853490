/** Says of what was opened by name why it shows nothing. */
export const blankWords = (name: string): string => `${name} has no lines so far, only NUL bytes.`;
