import type {Io} from '../io/io.ts';
import type {Say} from '../io/notices.ts';
import type {Output} from '../io/output.ts';
import type {ParsedArguments} from './args.ts';

/** What every command is handed. */
export type CommandInput = {
  readonly parsed: ParsedArguments;
  readonly io: Io;
  readonly output: Output;
  readonly say: Say;
  /** Aborted on SIGINT and SIGTERM: stop, and write no more. */
  readonly signal: AbortSignal;
  /** Called and waited for, for a moment, before the program ends, on a signal too: a recording is written to its end. */
  readonly atEnd: (task: () => Promise<void>) => void;
};
