/** A table of TOML or an object of JSON, whose keys are not known yet. */
export type Table = Readonly<Record<string, unknown>>;

/** Checks whether a value is a table: no array, date, secret or other instance of a class. */
export const isTable = (value: unknown): value is Table => {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
