/** Limits a name, so that one of a megabyte costs nothing. In code units of the text as received. */
export const nameCharsMax = 80;

/** The same for a name that shares its row, as in a header. */
export const headerNameCharsMax = 60;

export const messageCharsMax = 500;
