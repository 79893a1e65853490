/** An uncaught error with its trace; files are below the application's root. */
export type Crash = {
  readonly error: string;
  readonly file: string;
  readonly lineNumber: number;
  /** `file(line): call`, innermost first. */
  readonly frames: readonly string[];
};

/** The code of a site: where it is, and what goes wrong in it. */
export type CodeBase = {
  readonly applicationType: string;
  readonly appserverTag: string;
  readonly appRoot: string;
  readonly webRoot: string;
  /** PHP's complaints, `Level:  message in FILE on line n`; files are below the application's root. */
  readonly complaints: readonly {readonly message: string; readonly file: string; readonly lineNumber: number}[];
  readonly crashes: readonly Crash[];
  /** What services beside the application print when they fail: a head, and the lines of its trace. */
  readonly exceptions: readonly (readonly string[])[];
  /** What the application calls and waits for. */
  readonly upstream: {
    readonly name: string;
    readonly host: string;
    readonly path: string;
    readonly timeoutMs: number;
    /** The requests that wait for it, `METHOD path`. */
    readonly requests: readonly string[];
    /** The application's message when no answer comes in time, and the exception; its error is only the class. */
    readonly failure: {readonly message: string; readonly subject: string};
    readonly thrown: Crash;
  };
  /** The channel of its JSON lines, and what it logs there. */
  readonly channel: string;
  readonly news: readonly {readonly message: string; readonly subject: string}[];
  /** The messages of its JSON lines when something fails. */
  readonly failures: readonly {readonly message: string; readonly subject: string}[];
};
