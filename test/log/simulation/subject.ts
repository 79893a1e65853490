import {sliceEntries} from '#log/buffer/buffer.ts';
import {type BranchLog, createBranchLog, type LogWindow} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {type Entry, type LineEntry, textOf} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Proof} from '#log/line/proof.ts';

/** Whatever puts a log together from windows: the engine, or a mutant of it. */
export type Subject = {
  /** Takes a window; answers with the new lines and markers, those too late for the buffer first. */
  take(window: LogWindow<readonly string[]>): readonly Entry[];
  /** The lines held, in order. */
  lines(): readonly LineEntry[];
  /** Since when it says that nothing is missing. */
  wholeSince(): Instant | undefined;
  /** On what that rests. */
  proof(): Proof;
  /** All times up to this one have left its buffer. */
  floor(): Instant | undefined;
};

export type SubjectOptions = {
  readonly bufferBytesMax: number;
  /** Lines too late for the buffer are handed out all the same. */
  readonly keepsLateLines?: boolean;
  /** Changes what the engine remembers before each window. */
  readonly remember?: (log: BranchLog) => BranchLog;
  /** Changes the window before the engine sees it. */
  readonly see?: (window: LogWindow<readonly string[]>, log: BranchLog) => LogWindow<readonly string[]>;
  /** Changes what it answers; `last` is the window before that was not empty. */
  readonly say?: (
    added: readonly Entry[],
    log: BranchLog,
    window: LogWindow<readonly string[]>,
    last: LogWindow<readonly string[]> | undefined,
  ) => readonly Entry[];
  /** Changes the lines that are shown. */
  readonly show?: (lines: readonly LineEntry[]) => readonly LineEntry[];
};

const same = <T>(value: T): T => value;

/** The engine, with hooks for those that break it on purpose. */
export const createSubject = (options: SubjectOptions): Subject & {log(): BranchLog} => {
  const {remember = same, see = same, say = same, show = same} = options;
  let log = createBranchLog(options.bufferBytesMax);
  let last: LogWindow<readonly string[]> | undefined;
  return {
    take: window => {
      const before = remember(log);
      const seen = see(window, before);
      const taken = takeWindow(before, seen);
      log = taken.log;
      const added = say(options.keepsLateLines ? [...taken.tooLate, ...taken.added] : taken.added, before, seen, last);
      last = seen.lines.length > 0 ? seen : last;
      return added;
    },
    lines: () => show(linesOf(log)),
    wholeSince: () => log.wholeSince,
    proof: () => log.proof,
    floor: () => log.buffer.evictedThrough,
    log: () => log,
  };
};

export const entriesOf = (log: BranchLog): readonly Entry[] => sliceEntries(log.buffer, 0, log.buffer.entryCount);

export const linesOf = (log: BranchLog): readonly LineEntry[] => entriesOf(log).filter(entry => entry.kind === 'line');

/** As `ServiceLine.identity`. */
export const identityOf = (line: LineEntry): string => (line.textIndex === 0 ? line.raw : `${line.at} ${textOf(line)}`);
