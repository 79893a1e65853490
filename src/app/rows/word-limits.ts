/** Columns are fewer; a name or a message of a megabyte must still cost nothing. In code units of the text as received. */
export const nameCharsMax = 80;

/** The same for a name that shares its row with others, as in a header. */
export const headerNameCharsMax = 60;

export const messageCharsMax = 500;
