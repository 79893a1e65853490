/** Bounds of how a log is viewed, for the screens, the config file and what is remembered. */

/** More columns than any terminal shows. */
export const columnsMax = 20;

/** More chips than fit into a row are too many to keep in mind. */
export const filtersMax = 20;

/** Longer names would not fit into a row beside what they stand for. */
export const filterNameCharsMax = 30;

/** A list of more is no choice any more. */
export const namedFiltersMax = 100;

/** Longer than any typed pattern; keeps a pasted file from becoming one. */
export const promptCharsMax = 500;
