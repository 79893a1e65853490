/** The program: what the launcher loads. */
import {exitCodes} from './exit-codes.ts';
import {processIo} from './io.ts';
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

const code = await run(process.argv.slice(2), processIo());
// Connections kept alive, or a reader that takes nothing after a signal, would hold the process; all that was to be written is.
process.exit(code);
