/** The program: what the launcher loads. */
import {processIo} from './io.ts';
import {run} from './run.ts';

const code = await run(process.argv.slice(2), processIo());
// Connections kept alive, or a reader that takes nothing after a signal, would hold the process; all that was to be written is.
process.exit(code);
