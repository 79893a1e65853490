/** What a column of the strip counts. */
export type StripBucket = {readonly lines: number; readonly errors: number};

/** What is usual stays so even if most of what is held is not. */
const usualShare = 0.2;

/** Returns the errors of a usual column: a fifth of all columns have no more. */
export const usualErrorsOf = (errors: readonly number[]): number =>
  errors.toSorted((a, b) => a - b)[Math.floor(errors.length * usualShare)] ?? 0;

/** By so many square roots of what is usual, chance hardly ever exceeds it. */
const chanceTimes = 3;

/** So many times what is usual, and more than chance explains, is far above it. */
const farTimes = 3;

/** How the errors of a column compare with those of a usual one. */
export type Excess = 'none' | 'some' | 'far';

export const excessOf = ({errors}: StripBucket, usual: number): Excess => {
  const chance = chanceTimes * Math.sqrt(Math.max(1, usual));
  return errors <= usual + chance ? 'none' : errors <= farTimes * (usual + chance) ? 'some' : 'far';
};

/** In fewer columns it may be a burst, which is a peak. */
const sustainedMin = 3;

/**
 * Returns the columns in which errors begin to exceed what is usual and keep doing so. More errors only because there
 * are more lines of all kinds don't count.
 */
export const findOnsets = ({
  buckets,
  usualErrors,
}: {
  readonly buckets: readonly StripBucket[];
  readonly usualErrors: number;
}): readonly number[] => {
  const sum = (of: keyof StripBucket): number => buckets.reduce((total, bucket) => total + bucket[of], 0);
  const shareOfAll = sum('errors') / Math.max(1, sum('lines'));
  const isAbove = (column: number): boolean => {
    const bucket = buckets[column];
    return (
      bucket !== undefined &&
      excessOf(bucket, usualErrors) !== 'none' &&
      (shareOfAll > manyErrors || bucket.errors > shareOfAll * bucket.lines)
    );
  };
  return buckets.flatMap((_, column) => {
    const isSustained = Array.from({length: sustainedMin}, (__, ahead) => column + ahead).every(isAbove);
    return isSustained && !isAbove(column - 1) ? [column] : [];
  });
};

/** From this share of errors on, a log has too many for a column to have a larger one. */
const manyErrors = 1 / 3;
