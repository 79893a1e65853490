/** Entry point of the program, loaded by the launcher. */

import {exitCodes} from '#cli/io/exit-codes.ts';
import {createSay, processIo} from '#cli/io/io.ts';
import {endProcess} from '#terminal/screen/end-process.ts';
import {run} from './run.ts';

/**
 * Ends the command on an unexpected error, with a one-line message instead of a stack trace. The screens have their own
 * listener, which restores the terminal first.
 */
const onFault = (fault: unknown): void => {
  if (process.listenerCount('uncaughtException') === 1) {
    createSay(process.stderr)(`unexpected ${fault instanceof Error ? `${fault.name}: ${fault.message}` : 'fault'}`);
    endProcess(process, exitCodes.failed);
  }
};
process.on('uncaughtException', onFault);

/** A command that runs longer than this may run for hours, in milliseconds. */
const longRunningMs = 2000;
// The heap belongs to the process, so this starts here and not in `run`, which tests call too.
setTimeout(
  () =>
    import('#cli/io/heap-keeper.ts').then(
      ({keepHeapSmall}) => keepHeapSmall(),
      () => {},
    ),
  longRunningMs,
).unref();

// Keep-alive connections, or a reader that has stopped reading, would keep the process alive. All output is written.
// Not awaited: the executable is one CommonJS script, which has no await of its own.
void run(process.argv.slice(2), processIo()).then(code => endProcess(process, code));
