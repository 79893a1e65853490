/** Returns the fields of a value from a state file that should be an object; none of any other value. */
export const storedFields = <Item>(value: unknown): {readonly [Key in keyof Item]?: unknown} =>
  typeof value === 'object' && value !== null ? value : {};
