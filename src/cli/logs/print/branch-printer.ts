import {ApiError} from '#api/client/api-error.ts';
import {recoveryAnswerOf} from '#app/tail/incident-reading.ts';
import type {Poll} from '#app/tail/tail.ts';
import type {UntilGone} from '#cli/arguments/logs-options.ts';
import type {PrintedLabel} from '#cli/connection/label-branches.ts';
import {formatElapsed} from '#cli/io/format.ts';
import type {Clock, Say} from '#cli/io/io.ts';
import {describeNotLines, saySkipped} from '#cli/io/output.ts';
import {
  createRecoveryWatch,
  judgeRecovery,
  type RecoveryAnswer,
  type RecoveryWatch,
  takeRecoveryAnswer,
} from '#log/incident/recovery-watch.ts';
import type {BranchLog} from '#log/ingest/branch-log.ts';
import {concludeLog} from '#log/ingest/conclude-log.ts';
import {type Entry, type GapMarker, textOf} from '#log/line/entry.ts';
import {formatClock, instantFromMs} from '#log/line/instant.ts';
import {describeMarker, unreadableWords} from '#log/words/describe-marker.ts';
import {type CutSaid, proofWords} from '#log/words/proof-words.ts';
import type {SourceFilter} from '../source-filter.ts';
import {type BranchEntry, createInterleaver} from './interleaver.ts';
import type {LogPrinter} from './log-printer.ts';

/** Creates a filter that reduces growing gaps of one branch to their starts and ends, for text output. */
export const createGapGrowth = () => {
  let grown = new Map<number, GapMarker>();
  const end = (): readonly GapMarker[] => {
    const last = [...grown.values()];
    grown = new Map();
    return last;
  };
  return {
    /**
     * Returns a poll's entries without the steps of growing gaps. Once they have ended, they come first, with their
     * final ranges.
     */
    take: (entries: readonly Entry[]): readonly Entry[] => {
      const kept = entries.filter(entry => entry.kind !== 'gap' || entry.grows !== true);
      if (kept.length === entries.length) {
        return grown.size === 0 ? entries : [...end(), ...entries];
      }
      for (const entry of entries) {
        if (entry.kind === 'gap' && entry.grows === true) {
          grown.set(entry.id, entry);
        }
      }
      return kept;
    },
    /** Returns the gaps that were still growing at the end, if any; none when called again. */
    end,
  };
};

/** Numbers in the message of the same error may differ between retries (a byte offset, seconds left). */
const faultIdentity = (error: ApiError): string =>
  `${error.kind} ${error.status ?? ''} ${error.message.replace(/\d+/g, '#')}`;

/**
 * Creates a reporter that says in one line when an error begins, changes or ends, not for each retry. Times are UTC by
 * the machine's clock: when this program saw the error.
 */
export const createFaultReporter = (say: Say, clock: Clock) => {
  let fault: {readonly identity: string; readonly sinceMs: number; readonly message: string} | undefined;
  const time = () => formatClock(instantFromMs(clock.nowMs()));
  return {
    failed: (error: ApiError): void => {
      const identity = faultIdentity(error);
      if (identity !== fault?.identity) {
        fault = {identity, sinceMs: fault?.sinceMs ?? clock.monotonicMs(), message: error.message};
        say(`${time()} ${error.message}, retrying`);
      }
    },
    recovered: (): void => {
      if (fault) {
        say(`${time()} recovered after ${formatElapsed(clock.monotonicMs() - fault.sinceMs)}`);
        fault = undefined;
      }
    },
    /** What is wrong now; undefined if nothing is. */
    message: (): string | undefined => fault?.message,
  };
};

export type PrintVerdict = 'goOn' | 'stop';

export type BranchPrinterOptions = {
  /** Empty if there is only one branch. */
  readonly labels: readonly PrintedLabel[];
  readonly printer: LogPrinter;
  readonly holdMs: number;
  /** Prints the first windows together, so that `--tail` counts the lines of all of them. */
  readonly printsFirstAtOnce: boolean;
  /** Reports a growing gap at its start and its end, not at each poll. */
  readonly foldsGrowth: boolean;
  /** Ends it when no line matches any more; undefined if that is not asked for. */
  readonly untilGone?: UntilGone | undefined;
  /** The parts of the logs; left out: unreadable parts are reported otherwise. */
  readonly part: 'pod' | 'container' | undefined;
  /** Which pods and containers are wanted; undefined if all are. */
  readonly sourceFilter: SourceFilter | undefined;
  /** Each line is preceded by its source. */
  readonly showsSources: boolean;
  /** The service answers with its last lines, and says nothing of those before. */
  readonly showsWindows?: boolean;
  /** Who says how windows are cut, if it is not the service itself. */
  readonly cutSaidBy: CutSaid['saidBy'];
  readonly say: Say;
  readonly clock: Clock;
};

/** Creates a printer that takes the outcomes of polls of one or several branches and prints them as one log. */
export const createBranchPrinter = (options: BranchPrinterOptions) => {
  const {labels, printer, holdMs, printsFirstAtOnce, foldsGrowth, cutSaidBy, showsWindows, say, clock} = options;
  const {sourceFilter, showsSources, untilGone, part} = options;
  const branchCount = Math.max(1, labels.length);
  const interleaver = createInterleaver(branchCount, holdMs);
  const sayOf = (index: number): Say => {
    const label = labels[index];
    return label ? sentence => say(`${label.name}: ${sentence}`) : say;
  };
  const faults = Array.from({length: branchCount}, (_, index) => createFaultReporter(sayOf(index), clock));
  const growths = Array.from({length: branchCount}, createGapGrowth);
  let goneWatches: readonly RecoveryWatch[] =
    untilGone === undefined
      ? []
      : growths.map(() => createRecoveryWatch(line => untilGone.pattern.test(textOf(line)), untilGone.forMs));
  const watchGone = (index: number, answer: RecoveryAnswer | undefined, added: readonly Entry[]): void => {
    goneWatches = goneWatches.map((watch, each) => (each === index ? takeRecoveryAnswer(watch, answer, added) : watch));
  };
  const answered = new Set<number>();
  /** The branches whose last answer had items that are no lines. */
  const faulty = new Set<number>();
  /** By branch of whose pods the last answer said that some cannot be read: whether new ones are unseen. */
  const unreadables = new Map<number, boolean>();
  let hasNotLines = false;
  let serviceTimeMs: number | undefined;
  /** As of the last answers. */
  const logs = new Map<number, BranchLog>();
  let waiting: readonly BranchEntry[] = [];
  // Runs one after the other, to keep the order of release. An error stays in the chain and reaches every waiting
  // caller.
  let printing: Promise<PrintVerdict> = Promise.resolve('goOn');

  const print = (released: readonly BranchEntry[], isLast = false): Promise<PrintVerdict> => {
    const entries = [...waiting, ...released];
    waiting = [];
    if (!isLast && (!interleaver.isOpen || (printsFirstAtOnce && interleaver.holdsFirst))) {
      waiting = entries;
      return printing;
    }
    const window = {entries, serviceTimeMs};
    printing = printing.then(verdict => (verdict === 'stop' ? verdict : printer.print(window)));
    return printing;
  };

  return {
    /** Prints what came; reports an error, and releases lines that were held for this branch. */
    polled: async (
      index: number,
      {added, tail, result: answer, times}: Omit<Poll, 'nextPollInMs' | 'nextPollAtMs'>,
    ): Promise<PrintVerdict> => {
      if (answer instanceof ApiError) {
        faults[index]?.failed(answer);
        watchGone(index, undefined, []);
        const released = interleaver.arrived(index, [], times, false);
        return released.length > 0 ? print(released) : printing;
      }
      const {numbering} = answer.value;
      sourceFilter?.check(numbering, labels[index]?.name);
      if (!answered.has(index)) {
        answered.add(index);
        if (answered.size === branchCount) {
          sourceFilter?.sayUnmatched();
        }
        const first = added.find(entry => entry.kind === 'line');
        if (showsWindows && first) {
          printer.noteHeld({at: first.at, why: answer.value.arrivals?.dropped === 0 ? 'numbered' : 'window'});
        }
        if (showsSources && numbering === undefined) {
          sayOf(index)('the service does not report sources: --prefix has no effect');
        }
        saySkipped(answer.skipped, sayOf(index));
      }
      faults[index]?.recovered();
      const notLines = describeNotLines(answer.value.notLines);
      if (notLines === undefined) {
        faulty.delete(index);
      } else if (!faulty.has(index)) {
        faulty.add(index);
        hasNotLines = true;
        sayOf(index)(notLines);
      }
      const {unreadable} = answer.value;
      const isBlind = unreadable && unreadable.isBlind === true;
      if (part !== undefined && unreadable && unreadables.get(index) !== isBlind) {
        sayOf(index)(unreadableWords(unreadable, part));
      }
      if (isBlind === undefined) {
        unreadables.delete(index);
      } else {
        unreadables.set(index, isBlind);
      }
      serviceTimeMs = answer.serviceTimeMs ?? serviceTimeMs;
      printer.noteHeld(answer.value.heldFrom);
      logs.set(index, tail.log);
      const {proof} = tail.log;
      const need = printer.noteProof(index, proof, proofWords(proof, {...tail.said, saidBy: cutSaidBy}));
      const wanted = sourceFilter?.take(added) ?? added;
      watchGone(index, recoveryAnswerOf(tail, {cameMs: times.cameMs, hasMore: answer.value.next === 'there'}), wanted);
      const told = foldsGrowth ? (growths[index]?.take(wanted) ?? wanted) : wanted;
      const released = interleaver.arrived(index, told, times, true);
      const verdict = await print(released);
      const isGone = goneWatches.length > 0 && goneWatches.every(watch => judgeRecovery(watch).verdict === 'gone');
      return need === 'stop' || isGone ? 'stop' : verdict;
    },
    /** The branch will not be polled again. */
    branchEnded: interleaver.ended,
    /** When the next held line is released, on the clock of the answers' times. */
    nextExpiryMs: () => interleaver.nextExpiryMs,
    expire: (nowMs: number): Promise<PrintVerdict> => {
      const released = interleaver.expire(nowMs);
      return released.length > 0 ? print(released) : printing;
    },
    /** Prints all held lines. */
    finish: async (): Promise<void> => {
      const released = interleaver.rest();
      await (waiting.length + released.length > 0 ? print(released, true) : printing);
    },
    /** Prints the gaps that waited for another answer, whatever ended the command; none when called again. */
    conclude: async (): Promise<void> => {
      const entries = [...logs].flatMap(([branchIndex, log]) => {
        const {added} = concludeLog(log);
        return (sourceFilter?.take(added) ?? added).map(entry => ({entry, branchIndex, isOfFirst: false}));
      });
      logs.clear();
      await printing.catch(() => undefined);
      if (entries.length > 0) {
        await printer.print({entries, serviceTimeMs, isEnd: true});
      }
    },
    /** Reports the final ranges of gaps that were still growing at the end, whatever ended the command. */
    tellGrowth: (): void => {
      for (const [index, growth] of growths.entries()) {
        for (const gap of growth.end()) {
          sayOf(index)(describeMarker(gap, 'sentence'));
        }
      }
    },
    hasAnswer: () => answered.size > 0,
    /** The branches whose last poll was not answered with a log, and why. */
    blind: (): readonly {readonly branch: string | undefined; readonly why: string}[] =>
      faults.flatMap((fault, index) => {
        const why = fault.message();
        return why === undefined ? [] : [{branch: labels[index]?.name, why}];
      }),
    /** An answer had items that are no lines. */
    hasNotLines: () => hasNotLines,
    /** One for each branch with `untilGone`, else none. */
    goneWatches: () => goneWatches,
  };
};

export type BranchPrinter = ReturnType<typeof createBranchPrinter>;
