/** Replaces a secret wherever it would be printed. Its fixed width does not reveal the secret's length. */
export const secretMask = '********';

/**
 * A value that cannot be shown by accident: printing, inspecting, serialising or converting it gives a mask. Only
 * `reveal()` returns the value, so searching for that word finds every place where a secret leaves.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the value itself: for the header it is sent in, and for the one key that shows it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return secretMask;
  }

  toJSON(): string {
    return secretMask;
  }

  /** For template literals and `+`, which call this before `toString`. */
  [Symbol.toPrimitive](): string {
    return secretMask;
  }

  /** For `util.inspect`, `console.log` and assertion messages; the symbol is `util.inspect.custom`. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return secretMask;
  }
}
