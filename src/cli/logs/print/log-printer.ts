import {setImmediate as nextTurn} from 'node:timers/promises';
import {endBytes} from '#cli/arguments/limits.ts';
import type {LogsOptions} from '#cli/arguments/logs-options.ts';
import {resolveRange} from '#cli/arguments/time-range.ts';
import type {PrintedLabel} from '#cli/connection/label-branches.ts';
import type {Say} from '#cli/io/io.ts';
import type {Output} from '#cli/io/output.ts';
import {textOf} from '#log/line/entry.ts';
import {formatInstant, type Instant, instantFromMs} from '#log/line/instant.ts';
import {type Proof, weakestProof} from '#log/line/proof.ts';
import type {HeldFrom} from '#log/line/unread.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import type {TimeRange} from '#log/tokens/time-words.ts';
import {describeMarker} from '#log/words/describe-marker.ts';
import {type Alike, createLineBudget, leftOutWords, type Selection} from '../line-budget.ts';
import {cutForLimits, type FormatTextLine, formatEntryJson} from '../line-text.ts';
import type {BranchEntry} from './interleaver.ts';
import {createRecordFilter} from './record-filter.ts';

/** Text is written in pieces of about this many characters: few calls, and no second copy of a large window. */
const pieceCharsMax = 64 * 1024;

/** After this many lines the event loop gets a turn, so that a signal is handled while a large window is filtered. */
const linesPerTurn = 2000;

const proofAdvice =
  'To prove that no line is missing, a service must number its lines, as branchlog serve and --kube do; or leave out --require-proof';

/** How far back an answer reaches, as a source says, or as its first line shows of a service that says nothing. */
export type ReachesBack = Pick<HeldFrom, 'at' | 'arrivalsFrom'> & {
  readonly why: HeldFrom['why'] | 'window' | 'numbered';
};

const alikeWords = (alike: Alike | undefined): string =>
  alike === undefined ? '' : ` [${alike.like} like it until ${alike.until}]`;

const heldWords: Readonly<Record<ReachesBack['why'], string>> = {
  window: 'the service shows no older lines',
  numbered: 'the service has numbered no older lines, and cannot tell whether there were any',
  asked: 'no older lines were read',
  unread: 'no older lines were read',
  file: "a node's log file begins there",
  memory: 'no more lines fit into',
  start: 'the log begins there',
};

export type PrintedWindow = {
  readonly entries: readonly BranchEntry[];
  /** The service's clock in milliseconds since 1970, if it sent one. */
  readonly serviceTimeMs: number | undefined;
  /** More of what is there comes with the next one: the last lines are not known yet. */
  readonly hasMore?: boolean;
  /** The last entries, which are written although the program must end. */
  readonly isEnd?: boolean;
};

/** The printing so far, and its outcome. */
type Outcome = {
  /** `late`: lines that came after newer ones. */
  readonly counts: {readonly lines: number; readonly gaps: number; readonly late: number};
  /** How far back what was printed reaches, if `--since` or `--tail` asked for more. */
  readonly shortFrom?: Instant | undefined;
  /** Lines were asked for by `--since` that are older than those that are held. */
  readonly lacksHeld: boolean;
  /** The proof of the logs, the weakest of several; undefined before any answer. */
  readonly proof?: Proof | undefined;
  /** The reason why `--require-proof` fails, in a sentence; undefined if it holds. */
  readonly lacksProof?: string | undefined;
  /** A gap was printed. */
  readonly hasGap: boolean;
  /** A line matched `--until`. */
  readonly hasMatched: boolean;
  /** The service's clock at the last answer, milliseconds since 1970, if it sends one. */
  readonly lastPollAtMs?: number | undefined;
  /** What limits left out, once it is finished. */
  readonly leftOut?: Selection['leftOut'] | undefined;
};

type Writable<Readable> = {-readonly [Key in keyof Readable]: Readable[Key]};

/** Prints the entries of windows and decides when to stop. */
export type LogPrinter = Outcome & {
  /** Returns `stop` if a line matched `--until`, or a gap ends it by `--fail-on-gap`. Waits for a slow reader. */
  print(window: PrintedWindow): Promise<'goOn' | 'stop'>;
  /** Notes on what a branch's log rests now, also in words. Returns `stop` if `--require-proof` needs more. */
  noteProof(branchIndex: number, proof: Proof, words: string): 'goOn' | 'stop';
  /** Notes how far back a branch's first answer reaches. */
  noteHeld(held: ReachesBack | undefined): void;
  /** Prints what limits leave of it, if there are any; nothing was printed before. */
  finish(): Promise<void>;
};

type Judged = BranchEntry & {
  readonly isShown: boolean;
  readonly isMatch: boolean;
  /** It is near a line that matches. */
  readonly isContext?: boolean;
  /** Lines before it were left out. */
  readonly isApart?: boolean;
};

export type LogPrinterOptions = {
  readonly options: LogsOptions;
  /** Raw lines are printed without their timestamps, which are not of the log. */
  readonly isAsWritten?: boolean;
  /** Lines come in pieces where they are longer than ours may be, if the service numbers them. */
  readonly cutsLines?: boolean;
  /** What the log consists of, if not of pods. */
  readonly part?: string | undefined;
  readonly output: Output;
  readonly say: Say;
  readonly formatText: FormatTextLine;
  /** The label of each branch; empty if there is only one. */
  readonly labels: readonly PrintedLabel[];
  /** Aborted when the program must end: the remaining output is not written. */
  readonly signal: AbortSignal;
};

export const createLogPrinter = (given: LogPrinterOptions): LogPrinter => {
  const {options, isAsWritten = false, cutsLines = false, part, output, say, formatText, labels, signal} = given;
  // One filter per branch: the head of a stack trace belongs to the same branch.
  const filters = Array.from({length: Math.max(1, labels.length)}, () => createRecordFilter(options));
  const hasContext = options.context.before + options.context.after > 0;
  const stopsAtGap = options.failOnGap && options.durationMs === undefined;
  // The event waited for has yet to happen, unless the user says from when.
  const waitsForNew = options.follow && options.since === undefined;
  let isBegun = false;
  let isFirst = true;
  /** The last lines of those that are there, which are printed once all are known. */
  let lastLines: readonly Judged[] = [];
  let range: TimeRange | undefined;
  const {limits} = options;
  const budget = limits && createLineBudget(limits);
  const counts = {lines: 0, gaps: 0, late: 0};
  const outcome: Writable<Outcome> = {counts, lacksHeld: false, hasGap: false, hasMatched: false};
  const proofs = new Map<number, Proof>();
  /** With several branches, the one that reaches back the least. */
  let held: ReachesBack | undefined;

  /** Tells once from when on lines are held, if that is less than what was asked for. Returns the record, if any. */
  const tellShort = (shownLines: number): string => {
    const cut = range?.from;
    const {tail} = options;
    const asksForAll = cut === undefined && tail === undefined;
    const isShort =
      cut !== undefined ? held && held.at > cut : tail === undefined ? held?.why === 'memory' : shownLines < tail;
    if (!held || held.why === 'start' || !isShort) {
      return '';
    }
    outcome.shortFrom = held.at;
    outcome.lacksHeld = cut !== undefined || asksForAll;
    const setting = held.why === 'memory' ? ` ${part === 'container' ? 'buffer_mb' : 'kube_buffer_mb'}` : '';
    const [from, why] = [formatInstant(held.at), `${heldWords[held.why]}${setting}`];
    const asked =
      cut !== undefined ? ', --since asks for more' : asksForAll ? '' : `, --tail finds ${shownLines} of ${tail} lines`;
    say(`held from ${from} only${asked}: ${why}`);
    return options.format === 'json'
      ? `${stringifySafe({kind: 'held', from, asked: cut === undefined ? undefined : formatInstant(cut), why})}\n`
      : '';
  };

  /** Judges every entry in range by the filters and `--until`. */
  const judge = async (entries: readonly BranchEntry[]): Promise<readonly Judged[]> => {
    const {from, to} = range ?? {};
    const judged: Judged[] = [];
    for (const [index, one] of entries.entries()) {
      const {entry, branchIndex} = one;
      if (index % linesPerTurn === linesPerTurn - 1) {
        await nextTurn();
        signal.throwIfAborted();
      }
      const isEarly = from !== undefined && entry.at < from;
      const isLater = to !== undefined && (entry.kind === 'gap' ? entry.after : entry.at) > to;
      if (entry.kind !== 'line') {
        if (!isLater || entry.kind === 'horizon') {
          judged.push({...one, isShown: true, isMatch: false});
        }
      } else if (!isEarly && !isLater) {
        const passed = filters[branchIndex]?.take(entry) ?? [];
        const mayMatch = !(waitsForNew && one.isOfFirst);
        const isMatch = (mayMatch && options.until?.test(textOf(entry))) ?? false;
        if (passed.length === 0) {
          judged.push({...one, isShown: false, isMatch});
        }
        for (const {line, why, isApart} of passed) {
          const own = {isMatch: isMatch && line === entry, isContext: why === 'context', isApart};
          judged.push({...one, entry: line, isShown: true, ...own});
        }
      } else {
        filters[branchIndex]?.passBy(entry);
      }
    }
    return judged;
  };

  const format = (judged: Judged, alike?: Alike): string | undefined => {
    const {branchIndex, isContext = false, isApart = false} = judged;
    const label = labels[branchIndex];
    const {entry, cut} = budget ? cutForLimits(judged.entry) : {entry: judged.entry, cut: undefined};
    switch (options.format) {
      case 'json':
        return formatEntryJson(entry, {
          ...{branch: label?.name, isContext},
          mayBePart: cutsLines && proofs.get(branchIndex) === 'counted',
          isArrival: held?.arrivalsFrom !== undefined,
          ...alike,
          cut,
        });
      case 'raw':
        return entry.kind === 'line' ? (isAsWritten ? textOf(entry) : entry.raw) : undefined;
      case 'text':
        return entry.kind === 'line'
          ? `${isApart && hasContext && !budget ? '--\n' : ''}${label?.prefix ?? ''}${formatText(entry)}${alikeWords(alike)}`
          : undefined;
      default:
        return options.format satisfies never;
    }
  };

  const print = async ({
    entries,
    serviceTimeMs,
    hasMore = false,
    isEnd = false,
  }: PrintedWindow): Promise<'goOn' | 'stop'> => {
    outcome.lastPollAtMs = serviceTimeMs ?? outcome.lastPollAtMs;
    range ??= findRange(options, serviceTimeMs, entries);
    const {to} = range ?? {};
    const oldest = isBegun ? undefined : entries.find(({entry}) => entry.kind === 'line')?.entry;
    isBegun = true;
    if (to !== undefined && oldest !== undefined && oldest.at > to) {
      say(`nothing before --to was read: the lines begin at ${formatInstant(oldest.at)}`);
    }
    const judged = await judge(entries);
    const isTail = isFirst && options.tail !== undefined;
    const inRange = isTail ? takeTail([...lastLines, ...judged], options.tail) : judged;
    lastLines = [];
    if (isTail && hasMore) {
      lastLines = inRange.filter(({isShown, isMatch}) => isShown || isMatch);
      return 'goOn';
    }
    const shownLines = inRange.filter(({entry, isShown}) => entry.kind === 'line' && isShown).length;
    let piece = isFirst ? tellShort(shownLines) : '';
    const isTooShort = isFirst && outcome.lacksHeld && (stopsAtGap || options.requireProof);
    isFirst = false;
    const flush = async () => {
      const text = piece;
      piece = '';
      await output.write(text, isEnd ? undefined : signal);
    };
    for (const judgedEntry of inRange) {
      const {entry, branchIndex, isShown, isMatch} = judgedEntry;
      const isOffered = budget !== undefined && isShown && entry.kind === 'line';
      const text = isShown && !isOffered ? format(judgedEntry) : undefined;
      if (entry.kind === 'line' && isShown) {
        counts.lines += 1;
        counts.late += entry.late ? 1 : 0;
      }
      counts.gaps += entry.kind === 'gap' && entry.grows !== true ? 1 : 0;
      if (isOffered) {
        budget.offer({line: entry, text: textOf(entry), format: alike => format(judgedEntry, alike) ?? ''});
      } else if (text !== undefined && budget) {
        budget.offer({line: undefined, text, format: () => text});
      } else if (text !== undefined) {
        piece += `${text}\n`;
      } else if (entry.kind !== 'line') {
        // Write what comes before the marker first, so that a terminal shows the marker in its place.
        await flush();
        const label = labels[branchIndex];
        const words = describeMarker(entry, 'sentence', undefined, undefined, part);
        say(label ? `${label.name}: ${words}` : words);
      }
      outcome.hasGap ||= entry.kind === 'gap';
      outcome.hasMatched ||= isMatch;
      if (isMatch || (entry.kind === 'gap' && stopsAtGap)) {
        await flush();
        return 'stop';
      }
      if (piece.length >= pieceCharsMax) {
        await flush();
      }
    }
    await flush();
    return isTooShort ? 'stop' : 'goOn';
  };

  return Object.assign(outcome, {
    print,
    noteProof: (branchIndex: number, proof: Proof, words: string) => {
      proofs.set(branchIndex, proof);
      outcome.proof = weakestProof([...proofs.values()]);
      if (!options.requireProof || proof === 'counted') {
        return 'goOn';
      }
      const label = labels[branchIndex];
      outcome.lacksProof ??= `${label ? `${label.name}: ` : ''}the log is not counted: ${words}. ${proofAdvice}`;
      return 'stop';
    },
    finish: async () => {
      if (!limits || !budget) {
        return;
      }
      const isJson = options.format === 'json';
      const bytesMax = limits.bytesMax === undefined ? undefined : limits.bytesMax - (isJson ? endBytes : 0);
      const rowsMax = limits.rowsMax === undefined ? undefined : Math.max(1, limits.rowsMax - (isJson ? 1 : 0));
      const {rows, leftOut} = budget.select({bytesMax, rowsMax});
      outcome.leftOut = leftOut;
      await output.write(rows.map(row => `${row}\n`).join(''), signal);
      if (!isJson && leftOut.lines > 0) {
        say(leftOutWords(leftOut.lines, counts.lines, 'line'));
      }
    },
    noteHeld: (next: ReachesBack | undefined) => {
      // A log that begins later reaches back as far as it can.
      const isLess =
        next !== undefined &&
        (held === undefined || held.why === 'start' || (next.why !== 'start' && next.at >= held.at));
      held = isLess ? next : held;
    },
  });
};

/**
 * Returns the range of `--since` and `--to`, by the service's clock, or by its newest line if it sends none; undefined
 * if there is neither.
 */
const findRange = (
  options: LogsOptions,
  serviceTimeMs: number | undefined,
  entries: readonly BranchEntry[],
): TimeRange | undefined => {
  const newest = entries.findLast(({entry}) => entry.kind === 'line');
  const nowAt = serviceTimeMs === undefined ? newest?.entry.at : instantFromMs(serviceTimeMs);
  return nowAt === undefined ? undefined : resolveRange(options, nowAt);
};

/**
 * Starts at the N-th last shown line of the first windows; lines before it are out of range for `--until` too. With
 * several branches, newer lines may lie in between: they are neither counted nor dropped.
 */
const takeTail = (judged: readonly Judged[], lineCount: number): readonly Judged[] => {
  if (lineCount === 0) {
    return judged.filter(({isOfFirst}) => !isOfFirst);
  }
  let left = lineCount;
  for (let index = judged.length - 1; index >= 0; index -= 1) {
    const one = judged[index];
    if (one?.entry.kind === 'line' && one.isShown && one.isOfFirst) {
      left -= 1;
      if (left === 0) {
        return judged.filter(({isOfFirst}, place) => place >= index || !isOfFirst);
      }
    }
  }
  return judged;
};
