import type {Instant} from './instant.ts';

/**
 * From when on a service has read all lines that there were. Before, there are others: only so many were to be read
 * (`asked`), those are read as soon as they are wanted (`unread`), the file that the source still has may not reach
 * further back (`file`), or no more fit (`memory`). There are none if it was read from its beginning (`start`).
 */
export type HeldFrom = {
  readonly at: Instant;
  readonly why: 'asked' | 'unread' | 'file' | 'memory' | 'start';
  /**
   * Set if the lines say no time of their own, as far as they were looked at: theirs is that of their arrival. Those up
   * to this time were there already, and came at once.
   */
  readonly arrivalsFrom?: Instant | undefined;
};
