/** What stands in every place where a secret would be printed. Of fixed width, so that it tells no length. */
export const secretMask = '********';

/**
 * A value that cannot be shown by accident: printing, inspecting, serialising and converting it give a mask.
 * Only `reveal()` gives the value, so a search for that word finds every place where one leaves.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself: for the header it is sent in, and for the one key that shows it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return secretMask;
  }

  toJSON(): string {
    return secretMask;
  }

  /** For template literals and `+`, which ask here before they ask `toString`. */
  [Symbol.toPrimitive](): string {
    return secretMask;
  }

  /** For `util.inspect`, `console.log` and assertion messages; the symbol is `util.inspect.custom`. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return secretMask;
  }
}
