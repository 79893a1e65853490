import {
  type BranchLog,
  createBranchLog,
  type LogWindow,
  type MergePath,
  takeWindow,
} from '../../../src/log/branch-log.ts';
import {sliceEntries} from '../../../src/log/buffer.ts';
import {type Entry, type LineEntry, textOf} from '../../../src/log/entry.ts';

/** Whatever puts a log together from windows: the engine, or a mutant of it. */
export type Subject = {
  /** Takes a window; answers with the new lines and markers, those too late for the buffer first. */
  take(window: LogWindow): readonly Entry[];
  /** The lines held, in order. */
  lines(): readonly LineEntry[];
};

export type SubjectOptions = {
  readonly bufferBytesMax: number;
  readonly path?: MergePath;
  /** Lines too late for the buffer are handed out all the same. */
  readonly keepsLateLines?: boolean;
  /** Changes what the engine remembers before each window. */
  readonly remember?: (log: BranchLog) => BranchLog;
  /** Changes the window before the engine sees it. */
  readonly see?: (window: LogWindow, log: BranchLog) => LogWindow;
  /** Changes what it answers. */
  readonly say?: (added: readonly Entry[], log: BranchLog, window: LogWindow) => readonly Entry[];
  /** Changes the lines that are shown. */
  readonly show?: (lines: readonly LineEntry[]) => readonly LineEntry[];
};

const same = <T>(value: T): T => value;

/** The engine, with hooks for those that break it on purpose. */
export const createSubject = (options: SubjectOptions): Subject & {log(): BranchLog} => {
  const {remember = same, see = same, say = same, show = same} = options;
  let log = createBranchLog(options.bufferBytesMax);
  return {
    take: window => {
      const before = remember(log);
      const seen = see(window, before);
      const taken = takeWindow(before, seen, options.path);
      log = taken.log;
      return say(options.keepsLateLines ? [...taken.tooLate, ...taken.added] : taken.added, before, seen);
    },
    lines: () => show(linesOf(log)),
    log: () => log,
  };
};

export const entriesOf = (log: BranchLog): readonly Entry[] => sliceEntries(log.buffer, 0, log.buffer.entryCount);

export const linesOf = (log: BranchLog): readonly LineEntry[] => entriesOf(log).filter(entry => entry.kind === 'line');

/** As `ServiceLine.identity`. */
export const identityOf = (line: LineEntry): string => (line.textIndex === 0 ? line.raw : `${line.at} ${textOf(line)}`);
