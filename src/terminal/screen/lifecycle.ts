import {constants} from 'node:os';
import type {Readable} from 'node:stream';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {errorCodeOf} from '#base/error-code.ts';
import {endProcess} from './end-process.ts';
import {setBlocking} from './frame-stream.ts';
import type {Screen} from './screen.ts';

/**
 * Stops reading the terminal, so that typed input reaches another program that reads it. Returns a function that
 * resumes reading for the previous listeners. Pausing is not enough: a stream with `readable` listeners continues to
 * read.
 */
export const stopReading = async (stdin: Readable): Promise<() => void> => {
  const wasFlowing = stdin.readableFlowing === true;
  const listeners = stdin.listeners('readable') as unknown as readonly (() => void)[];
  for (const listener of listeners) {
    stdin.off('readable', listener);
  }
  // Only then does the stream notice that it has no listeners; it would flow again.
  await nextTurn();
  stdin.pause();
  // Node stops the read itself one turn after the pause.
  await nextTurn();
  return () => {
    for (const listener of listeners) {
      stdin.on('readable', listener);
    }
    if (wasFlowing) {
      stdin.resume();
    }
  };
};

/** Longer messages are cut: a person reads them, and terminal rows are short. */
const messageLengthMax = 300;

/**
 * Returns where an error was thrown, as `file.js:12:3`: only the file's name, because a path reveals details of the
 * machine.
 */
const whereThrown = (error: Error): string | undefined => {
  const frame = error.stack?.split('\n').find(line => /^\s+at /.test(line));
  return frame ? /([^/\\(\s]+:\d+:\d+)\)?$/.exec(frame)?.[1] : undefined;
};

/** Messages may quote foreign text, so anything that could control a terminal becomes a question mark. */
const makeSafe = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/\p{C}/gu, '?').slice(0, messageLengthMax);

/**
 * Describes an unexpected error of the program in one sentence: the error's name and message, where it was thrown, and
 * what to do. No stack, and no other properties: some errors carry requests and responses, which contain secrets.
 */
export const formatFault = (fault: unknown): string => {
  // A thrown value that is not an error has no name, and its text may be anything: only its type is shown.
  const what =
    fault instanceof Error ? `${makeSafe(fault.name)}: ${makeSafe(fault.message)}` : `a thrown ${typeof fault}`;
  const where = fault instanceof Error ? whereThrown(fault) : undefined;
  const place = where === undefined ? '' : ` (at ${makeSafe(where)})`;
  return `branchlog: stopped by a fault of its own: ${what}${place}. Please report it, with what you did last.`;
};

/**
 * Signals whose default action ends a process, except those that can't be caught or that report a fault of the program
 * itself. The terminal is restored first.
 */
const endingSignals = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGTERM',
  'SIGUSR2',
  'SIGALRM',
  'SIGVTALRM',
  'SIGXCPU',
  'SIGIO',
  'SIGPWR',
  'SIGSTKFLT',
] as const;

/** 128 + the signal's number, as shells report it; undefined for a signal that this system does not have. */
const exitCodeOfSignal = (signal: NodeJS.Signals): number | undefined => {
  const number: number | undefined = constants.signals[signal];
  return number === undefined ? undefined : 128 + number;
};

/** Signals that a key makes the terminal send to all foreground programs. */
const keyboardSignals: readonly string[] = ['SIGINT', 'SIGQUIT'];

/** SIGHUP means that the terminal is gone, so a failed read or write that shows the same ends with the same code. */
const exitCodeTerminalGone = 129;

/** Error codes of writes when the terminal is gone. */
const terminalGoneCodes = ['EPIPE', 'EIO', 'EBADF', 'ENXIO'];

/** EX_SOFTWARE of BSD's sysexits. */
const exitCodeFault = 70;

/** Cleaning up can continue after some errors; past this many it is in a loop, and timers may never run. */
const faultsWhileExitingMax = 20;

/** A working terminal takes the last bytes at once; another one must not delay the exit. */
const flushMsMax = 300;

/** Together with the flush before it, this stays below the one second in which the program must end. */
const cleanUpMsMax = 500;

export type LifecycleOptions = {
  /** The current output on the terminal. */
  readonly screen: Pick<Screen, 'leave' | 'suspend' | 'resume' | 'noteResize' | 'flushed'>;
  readonly host: NodeJS.Process;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Runs once before the program ends, after the terminal is restored: unmount, save. It has half a second. */
  readonly onExit?: () => void | Promise<void>;
  /** Runs before the program stops: hides what must not be visible on return. */
  readonly onSuspend?: () => void;
  /** Runs when the program continues after any kind of stop: poll at once. The screen repaints by itself. */
  readonly onResume?: () => void;
};

type Lifecycle = {
  /** Restores the terminal, cleans up and ends the program, within a second. The first call determines the code. */
  exit(code: number): Promise<void>;
  /** Handles Ctrl-Z: gives the terminal back and stops the program until the shell continues it. */
  suspend(): Promise<void>;
  /**
   * Gives the terminal, its keys and its keyboard signals to another program until `run` resolves, then takes it back.
   * Does nothing while the terminal is not ours. `run` must not reject.
   */
  handOver(run: () => Promise<void>): Promise<void>;
};

/**
 * Makes sure that the terminal is restored however the program ends: on a signal, an exception, an unhandled rejection,
 * a lost terminal, or temporarily on Ctrl-Z. Install it before the screen is entered.
 */
export const installLifecycle = (options: LifecycleOptions): Lifecycle => {
  const {screen, host, stdin, stdout, stderr, onExit, onSuspend, onResume} = options;
  let isExiting = false;
  let isSuspended = false;
  let isHandedOver = false;
  let faultsWhileExiting = 0;

  const setRawMode = (isRaw: boolean): void => {
    if (stdin.isTTY && !stdin.destroyed) {
      stdin.setRawMode(isRaw);
    }
  };

  const restoreTerminal = (): void => {
    screen.leave();
    setRawMode(false);
  };

  const exit = async (code: number, lastWords?: string): Promise<void> => {
    if (isExiting) {
      return;
    }
    isExiting = true;
    screen.leave();
    // Not before: an answer of the terminal would be written on the shell's screen.
    await endWithin(screen.flushed(), flushMsMax);
    setRawMode(false);
    if (lastWords !== undefined) {
      stderr.write(`${lastWords}\n`);
    }
    await endWithin((async () => onExit?.())(), cleanUpMsMax);
    endProcess(host, code);
  };

  const resume = (): void => {
    if (isExiting) {
      return;
    }
    isSuspended = false;
    // The shell has restored its own modes without libuv, which skips setting a mode that it believes is set.
    setRawMode(false);
    setRawMode(true);
    screen.resume();
    // If the terminal was resized meanwhile, the kernel notified the shell, not us.
    host.kill(host.pid, 'SIGWINCH');
    onResume?.();
  };

  const onContinued = (): void => {
    // Another program has the terminal and takes it back by itself.
    if (!isHandedOver) {
      resume();
    }
  };

  const stopGroup = (): void => {
    // Without our listener the signal's default action applies again, and stops us before kill returns.
    host.off('SIGTSTP', onStopAsked);
    // Signal the whole group, as the terminal does: the shell watches the first process of its job, which may be a
    // launcher or npm. SIGTSTP, not SIGSTOP: the kernel drops it if no shell could ever continue us.
    host.kill(0, 'SIGTSTP');
    host.on('SIGTSTP', onStopAsked);
    // If the signal was dropped, no SIGCONT comes. If one did come, it is handled before the second of two immediates.
    setImmediate(() => setImmediate(() => isSuspended && resume()));
  };

  const suspend = async (): Promise<void> => {
    if (isSuspended || isExiting) {
      return;
    }
    if (isHandedOver) {
      // The terminal is already restored; the shell must see us stop together with the program that has it.
      stopGroup();
      return;
    }
    isSuspended = true;
    onSuspend?.();
    screen.suspend();
    await endWithin(screen.flushed(), flushMsMax);
    // Already continued: someone else stopped and continued the group while we restored the terminal.
    if (isSuspended && !isExiting) {
      setRawMode(false);
      stopGroup();
    }
  };

  const onStopAsked = (): void => {
    void suspend();
  };

  const handOver = async (run: () => Promise<void>): Promise<void> => {
    if (isSuspended || isExiting || isHandedOver) {
      return;
    }
    isHandedOver = true;
    onSuspend?.();
    // First, so that no frame asks the terminal again: the program would read its answer.
    screen.suspend();
    await endWithin(screen.flushed(), flushMsMax);
    const readAgain = await stopReading(stdin);
    setRawMode(false);
    setBlocking(stdout, true);
    await run();
    isHandedOver = false;
    readAgain();
    resume();
  };

  const onTerminalGone = (): void => {
    void exit(exitCodeTerminalGone);
  };

  const onOutputFault = (fault: unknown): void => {
    const code = errorCodeOf(fault);
    const isGone = terminalGoneCodes.includes(code);
    void exit(
      isGone ? exitCodeTerminalGone : 1,
      isGone ? undefined : `branchlog: cannot write to the terminal: ${code}.`,
    );
  };

  const onFault = (fault: unknown): void => {
    if (isExiting) {
      faultsWhileExiting += 1;
      if (faultsWhileExiting > faultsWhileExitingMax) {
        setRawMode(false);
        endProcess(host, exitCodeFault);
      }
      return;
    }
    void exit(exitCodeFault, formatFault(fault));
  };

  for (const signal of endingSignals) {
    const code = exitCodeOfSignal(signal);
    if (code === undefined) {
      continue;
    }
    host.on(signal, () => {
      // Ctrl-C and Ctrl-\ reach every process on the terminal, and are meant for the program that has it.
      if (!isHandedOver || !keyboardSignals.includes(signal)) {
        void exit(code);
      }
    });
  }
  host.on('uncaughtException', onFault);
  host.on('unhandledRejection', onFault);
  // Node would print its warnings over the screen.
  host.removeAllListeners('warning');
  host.on('SIGTSTP', onStopAsked);
  host.on('SIGCONT', onContinued);
  // If the size changes and changes back, Node may emit no resize, although the terminal has cut its rows.
  host.on('SIGWINCH', () => screen.noteResize());
  // The last resort, for direct calls to process.exit.
  host.on('exit', restoreTerminal);
  stdin.on('end', onTerminalGone);
  stdin.on('close', onTerminalGone);
  stdin.on('error', onTerminalGone);
  stdout.on('error', onOutputFault);
  // There is nowhere left to report it.
  stderr.on('error', () => {});

  return {
    exit: code => exit(code),
    suspend,
    handOver,
  };
};

/** Resolves when `work` has settled or after `deadlineMs`, whichever comes first. Never rejects. */
const endWithin = (work: Promise<unknown>, deadlineMs: number): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, deadlineMs);
    work
      .catch(() => {})
      .finally(() => {
        clearTimeout(timer);
        resolve();
      });
  });
