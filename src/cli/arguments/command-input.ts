import type {Io, Say} from '#cli/io/io.ts';
import type {Output} from '#cli/io/output.ts';
import type {ParsedArguments} from './args.ts';

/** The input of every command. */
export type CommandInput = {
  readonly parsed: ParsedArguments;
  readonly io: Io;
  readonly output: Output;
  readonly say: Say;
  /** Aborted on a stop signal: stop, and write no more. */
  readonly signal: AbortSignal;
  /**
   * Registers a task to run before the program ends, also on a signal, such as finishing a recording. The program waits
   * for it only briefly.
   */
  readonly atEnd: (task: () => Promise<void>) => void;
};
