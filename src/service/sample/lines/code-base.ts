/** An uncaught error with its trace; files are below the application's root. */
export type Crash = {
  readonly error: string;
  readonly file: string;
  readonly lineNumber: number;
  /** `file(line): call`, innermost first. */
  readonly frames: readonly string[];
};

/** The code that a site runs: where it lies, and what goes wrong in it. */
export type CodeBase = {
  readonly applicationType: string;
  readonly appserverTag: string;
  readonly appRoot: string;
  readonly webRoot: string;
  /** What PHP complains of, `Level:  message in FILE on line n`; files are below the application's root. */
  readonly complaints: readonly {readonly message: string; readonly file: string; readonly lineNumber: number}[];
  readonly crashes: readonly Crash[];
  /** The channel of its JSON lines, and what it logs there. */
  readonly channel: string;
  readonly news: readonly {readonly message: string; readonly subject: string}[];
  /** What its JSON lines say in trouble. */
  readonly failures: readonly {readonly message: string; readonly subject: string}[];
};
