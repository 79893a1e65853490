import {setBlocking} from '../screen/nonblocking-output.ts';
import type {Screen} from '../screen/screen.ts';
import {formatFault} from './fault-sentence.ts';
import {stopReading} from './stop-reading.ts';

/** 128 + the signal's number, as shells report it. */
const exitCodeOfSignal = {SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143} as const;

/** What a key makes the terminal send to all programs in the foreground. */
const keyboardSignals: readonly string[] = ['SIGINT', 'SIGQUIT'];

/** The terminal going away is what SIGHUP says, so it ends the same way when only a read or a write tells of it. */
const exitCodeTerminalGone = exitCodeOfSignal.SIGHUP;

/** What a write says when nobody is left to read it. */
const terminalGoneCodes = ['EPIPE', 'EIO', 'EBADF', 'ENXIO'];

/** EX_SOFTWARE of BSD's sysexits. */
const exitCodeFault = 70;

/** Cleaning up may fail here and there and still go on; past this it goes round in circles, and timers may never get their turn. */
const faultsWhileExitingMax = 20;

/** A terminal that is alive takes the last bytes at once; one that is not shall not hold us. */
const flushMsMax = 300;

/** With the flush before it this stays below the second in which the program must be gone. */
const cleanUpMsMax = 500;

export type LifecycleOptions = {
  /** What is on the terminal. */
  readonly screen: Pick<Screen, 'leave' | 'suspend' | 'resume' | 'noteResize' | 'flushed'>;
  readonly host: NodeJS.Process;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Runs once before the program ends, the terminal being restored already: unmount, save. It has half a second. */
  readonly onExit?: () => void | Promise<void>;
  /** Runs before the program stops: hide what must not be seen on return. */
  readonly onSuspend?: () => void;
  /** Runs when the program goes on after a stop, however it was stopped: poll at once. The screen repaints by itself. */
  readonly onResume?: () => void;
  /** Takes known secrets out of the sentence about a crash. */
  readonly redact?: (text: string) => string;
};

export type Lifecycle = {
  /** Restores the terminal, cleans up and ends the program, within a second. The first call decides on the code. */
  exit(code: number): Promise<void>;
  /** Ctrl-Z: gives the terminal back and stops the program until the shell continues it. */
  suspend(): Promise<void>;
  /**
   * Gives the terminal to another program while `run` lasts, keys and signals of the keyboard with it, and takes it again when that has ended. Nothing
   * happens while the terminal is not ours. `run` must not reject.
   */
  handOver(run: () => Promise<void>): Promise<void>;
  /** Lets go of signals and streams; the terminal stays as it is. */
  uninstall(): void;
};

/**
 * Sees to it that the terminal is given back as it was however the program ends: by a signal, a throw, an unhandled
 * rejection, a terminal that goes away, or Ctrl-Z for a while. Install it before the screen is entered.
 */
export const installLifecycle = (options: LifecycleOptions): Lifecycle => {
  const {screen, host, stdin, stdout, stderr, onExit, onSuspend, onResume, redact} = options;
  let isExiting = false;
  let isSuspended = false;
  let isHandedOver = false;
  let faultsWhileExiting = 0;
  let undo: (() => void)[] = [];

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
    restoreTerminal();
    await endWithin(screen.flushed(), flushMsMax);
    if (lastWords !== undefined) {
      stderr.write(`${lastWords}\n`);
    }
    await endWithin((async () => onExit?.())(), cleanUpMsMax);
    host.exit(code);
  };

  const resume = (): void => {
    if (isExiting) {
      return;
    }
    isSuspended = false;
    // The shell has put its own modes back behind libuv's back, which skips a mode that it believes set.
    setRawMode(false);
    setRawMode(true);
    screen.resume();
    // Resized meanwhile? The kernel told the shell, not us.
    host.kill(host.pid, 'SIGWINCH');
    onResume?.();
  };

  const onContinued = (): void => {
    // Another program has the terminal and takes it again by itself.
    if (!isHandedOver) {
      resume();
    }
  };

  const stopGroup = (): void => {
    // With our listener gone the signal's default holds again, and stops us before kill returns.
    host.off('SIGTSTP', onStopAsked);
    // The whole group, as the terminal itself does it: the shell watches the first process of its job, and that may be a
    // launcher or npm. SIGTSTP and not SIGSTOP: where no shell could ever continue us the kernel then drops it.
    host.kill(0, 'SIGTSTP');
    host.on('SIGTSTP', onStopAsked);
    // Dropped? Then no SIGCONT comes. One that did come is handled before the second of two immediates.
    setImmediate(() => setImmediate(() => isSuspended && resume()));
  };

  const suspend = async (): Promise<void> => {
    if (isSuspended || isExiting) {
      return;
    }
    if (isHandedOver) {
      // The terminal is given back already; the shell has to see us stop with the program that has it.
      stopGroup();
      return;
    }
    isSuspended = true;
    onSuspend?.();
    screen.suspend();
    setRawMode(false);
    await endWithin(screen.flushed(), flushMsMax);
    // Continued already: someone else stopped and continued the group while we restored the terminal.
    if (isSuspended && !isExiting) {
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
    const readAgain = await stopReading(stdin);
    screen.suspend();
    setRawMode(false);
    await endWithin(screen.flushed(), flushMsMax);
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
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : 'unknown error';
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
        host.exit(exitCodeFault);
      }
      return;
    }
    void exit(exitCodeFault, formatFault(fault, redact));
  };

  /** Listens for as long as the lifecycle is installed. */
  const on = (emitter: NodeJS.EventEmitter, event: string, listener: (value: unknown) => void): void => {
    emitter.on(event, listener);
    undo.push(() => emitter.off(event, listener));
  };

  for (const [signal, code] of Object.entries(exitCodeOfSignal)) {
    on(host, signal, () => {
      // Ctrl-C and Ctrl-\ reach everyone at the terminal, and are meant for the program that has it.
      if (!isHandedOver || !keyboardSignals.includes(signal)) {
        void exit(code);
      }
    });
  }
  on(host, 'uncaughtException', onFault);
  on(host, 'unhandledRejection', onFault);
  on(host, 'SIGTSTP', onStopAsked);
  on(host, 'SIGCONT', onContinued);
  // A size that comes and goes between two looks is none to Node, which tells of no resize; the terminal has cut its rows all the same.
  on(host, 'SIGWINCH', () => screen.noteResize());
  // The last resort, for whoever calls process.exit past us.
  on(host, 'exit', restoreTerminal);
  on(stdin, 'end', onTerminalGone);
  on(stdin, 'close', onTerminalGone);
  on(stdin, 'error', onTerminalGone);
  on(stdout, 'error', onOutputFault);
  // Nowhere is left to tell of it.
  on(stderr, 'error', () => {});

  return {
    exit: code => exit(code),
    suspend,
    handOver,
    uninstall() {
      for (const off of undo) {
        off();
      }
      undo = [];
    },
  };
};

/** Resolves when `work` has ended, well or badly, or after `deadlineMs`, whichever comes first. Never rejects. */
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
