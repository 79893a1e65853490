import type {GapMarker} from '#log/line/entry.ts';
import type {Loss} from '#log/line/numbering.ts';
import type {SourceName} from '#log/line/source-name.ts';

/** A gap before it has an id and a place. */
export type NumberedGap = Omit<GapMarker, 'kind' | 'id'>;

/** A loss that the service told of, and that it may tell more of. */
export type ToldLoss<T extends NumberedGap = GapMarker> = Pick<Loss, 'number' | 'after' | 'count'> & {
  readonly source: SourceName | undefined;
  /** Its marker, as it stands. */
  readonly marker: T;
  /** The line after it is not known yet. */
  readonly isOpen: boolean;
};

/**
 * Numbers without a line between those of one answer, which no window's limit explains where it happens again.
 */
export type Holes<T extends NumberedGap = GapMarker> = {
  /** The marker for all of them. */
  readonly marker: T;
  /** Answers that had some, and those without since. */
  readonly answers: number;
  readonly clean: number;
};
