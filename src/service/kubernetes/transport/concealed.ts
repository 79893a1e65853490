/** Replaces the value wherever it would be printed. Its fixed width does not reveal the length. */
const mask = '********';

/** A credential that cannot be shown by accident: printing or converting it gives a mask. */
export class Concealed {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the value, for the header it is sent in. */
  reveal(): string {
    return this.#value;
  }

  toJSON(): string {
    return mask;
  }

  /** For template literals, `String()` and `+`. */
  [Symbol.toPrimitive](): string {
    return mask;
  }

  /** For `console.log` and assertion messages; the symbol is `util.inspect.custom`. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return mask;
  }
}
