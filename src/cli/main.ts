/** The program: what the launcher loads. */
import {exitCodes} from './io/exit-codes.ts';
import {processIo} from './io/io.ts';
import {run} from './run.ts';

/** What nobody foresaw ends a command with a sentence and no stack trace. The screens have a listener of their own, which puts the terminal in order first. */
const onFault = (fault: unknown): void => {
  if (process.listenerCount('uncaughtException') === 1) {
    process.stderr.write(
      `branchlog: unexpected ${fault instanceof Error ? `${fault.name}: ${fault.message}` : 'fault'}\n`,
    );
    process.exit(exitCodes.failed);
  }
};
process.on('uncaughtException', onFault);

/** A command that has run for so long may run for hours, milliseconds. */
const longRunningMs = 2000;
// It is the heap of the process, so it is begun where the process is, and by nobody who only calls a command.
setTimeout(async () => (await import('./io/heap-keeper.ts')).keepHeapSmall(), longRunningMs).unref();

const code = await run(process.argv.slice(2), processIo());
// Connections kept alive, or a reader that takes nothing after a signal, would hold the process; all that was to be written is.
process.exit(code);
