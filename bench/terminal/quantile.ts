/** The value that a share of all values does not pass (0.5 is the median, 1 the greatest), by nearest rank. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;
