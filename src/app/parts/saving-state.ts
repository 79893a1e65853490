/** A file to write; `path` is as typed. */
export type SaveTarget = {readonly what: 'lines' | 'incident'; readonly path: string};

/** The save in progress. One file at a time. */
export type Saving =
  | {readonly kind: 'idle'}
  /** `share`: the part done, 0 to 1. */
  | (SaveTarget & {readonly kind: 'writing'; readonly share: number})
  /** The file already exists; entering the same path again replaces it. */
  | (SaveTarget & {readonly kind: 'exists'});
