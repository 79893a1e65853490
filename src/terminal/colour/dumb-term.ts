/**
 * Checks whether a terminal of this type (TERM) supports no control sequences. A missing or unknown type counts as
 * such.
 */
export const isDumbTerm = (term: string | undefined): boolean =>
  term === undefined || term === '' || term === 'dumb' || term === 'unknown';
