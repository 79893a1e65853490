/**
 * Who wrote a line, as far as the service says: data, never parsed out of the line's text. What is not known is left
 * out. Within one log each source is one object, so that two are the same if and only if they are identical.
 */
export type SourceName = {
  readonly pod?: string | undefined;
  readonly container?: string | undefined;
  /** `stdout`, `stderr`, or a name of the service's own, such as that of a file. */
  readonly stream?: string | undefined;
};
