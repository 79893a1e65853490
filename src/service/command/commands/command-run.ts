import type {Instant} from '#log/line/instant.ts';
import type {Known} from './line-memory.ts';

/** Lines without a time at the start of an output that wait for the first line with one: the rest of a stack trace. */
const waitingLinesMax = 1_000;

/**
 * How a run of a command joins the previous lines. `open`: not known yet. `joined`: its output begins with a known
 * line, so no line is missing. `broken`: it does not, so lines may be missing.
 */
export type Front = 'open' | 'joined' | 'broken';

/** A run of a command, as far as its output has been read. */
export type CommandRun = {
  readonly front: Front;
  /** The newest time of the lines taken before the run. */
  readonly newest: Instant | undefined;
  /** The oldest time of those that are remembered, if others were forgotten. */
  readonly forgottenTo: Instant | undefined;
  /** The last line with a time was newer than all that were taken before the run. */
  readonly isAhead: boolean;
  /** No line with a time was known or taken yet. */
  readonly isAtFront: boolean;
  /** The last line with a time was one of those that were forgotten. */
  readonly isPassing: boolean;
  /** Lines without a time that wait for the first line with one. */
  readonly waiting: readonly string[];
  /** The last line taken before the run, if its end had not come: the run may repeat it whole. */
  readonly unfinished: {readonly text: string; readonly hasTime: boolean} | undefined;
  /** The last line was known. */
  readonly wasKnown: boolean;
};

/** The next line of a run. */
export type RunLine = {
  readonly text: string;
  /** The time at which it says it was written. */
  readonly own: Instant | undefined;
  /**
   * `ahead`: no line of the previous runs can be this one, so it was not compared with them. `headless`: it has no
   * time, and no line with one precedes it, so it cannot be compared.
   */
  readonly is: 'ahead' | 'headless' | 'known' | 'unknown';
};

/** `taken`: new lines, or the rest of one. */
type RunStep = {readonly run: CommandRun; readonly taken: readonly string[]};

/** Begins a run after the lines that are remembered. `isFirst`: nothing was ever read before it. */
export const beginCommandRun = (
  before: {readonly lines: readonly Known[]; readonly hasForgotten: boolean},
  {isFirst, unfinished}: {readonly isFirst: boolean} & Pick<CommandRun, 'unfinished'>,
): CommandRun => {
  let [oldest, newest] = [before.lines[0]?.own, before.lines[0]?.own];
  for (const {own} of before.lines) {
    oldest = oldest === undefined || own < oldest ? own : oldest;
    newest = newest === undefined || own > newest ? own : newest;
  }
  return {
    front: isFirst ? 'joined' : before.lines.length === 0 ? 'broken' : 'open',
    newest,
    forgottenTo: before.hasForgotten ? oldest : undefined,
    isAhead: false,
    isAtFront: true,
    isPassing: false,
    waiting: [],
    unfinished,
    wasKnown: false,
  };
};

/** Whether no line of the previous runs can be this one. */
export const isAheadOf = ({front, unfinished, newest, isAhead}: CommandRun, own: Instant | undefined): boolean =>
  front !== 'open' && unfinished === undefined && newest !== undefined && (own === undefined ? isAhead : own > newest);

/** Ends the wait for a line that shows how the run joins. */
export const settleRun = (run: CommandRun): RunStep => ({
  run: {...run, front: run.front === 'open' ? 'broken' : run.front, waiting: []},
  taken: run.waiting,
});

/** Takes a line of the run, unless it was taken before. */
export const step = (before: CommandRun, {text, own, is}: RunLine): RunStep => {
  const run = {...before, isAhead: is === 'ahead', wasKnown: is === 'known'};
  if (is === 'ahead') {
    return {run: {...run, isAtFront: false, isPassing: false}, taken: [text]};
  }
  if (is === 'headless') {
    const next = {...run, waiting: [...run.waiting, text]};
    return next.front === 'open' && next.waiting.length < waitingLinesMax ? {run: next, taken: []} : settleRun(next);
  }
  // Without a time of its own, it is the unfinished line only if it follows the one that it followed.
  const begun = before.wasKnown || run.unfinished?.hasTime ? run.unfinished?.text : undefined;
  const isRest = begun !== undefined && text.startsWith(begun);
  if (is === 'known' || isRest) {
    const front = run.front === 'open' ? 'joined' : run.front;
    const unfinished = isRest ? undefined : run.unfinished;
    return {
      // Lines without a time share the fate of the first line with one.
      run: {...run, front, isAtFront: false, isPassing: false, waiting: [], unfinished},
      taken: is === 'unknown' && isRest && text !== begun ? [text.slice(begun.length)] : [],
    };
  }
  // Lines that come before all that is remembered were taken, and have been forgotten since; one of the same time as
  // the oldest, too: the times of many programs are whole seconds.
  const isForgotten = run.isAtFront && run.forgottenTo !== undefined && own !== undefined && own <= run.forgottenTo;
  const isPassing = own === undefined ? run.isPassing : isForgotten;
  if (isPassing) {
    return {run: {...run, isPassing, waiting: []}, taken: []};
  }
  const settled = settleRun({...run, isAtFront: false, isPassing});
  return {...settled, taken: [...settled.taken, text]};
};
