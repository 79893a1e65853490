/** Whether a terminal of this kind (TERM) takes no control sequences. One that says nothing of itself, or that nobody knew, is taken for such. */
export const isDumbTerm = (term: string | undefined): boolean =>
  term === undefined || term === '' || term === 'dumb' || term === 'unknown';
