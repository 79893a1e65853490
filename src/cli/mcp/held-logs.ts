import {setImmediate as nextTurn} from 'node:timers/promises';
import type {CommandInput, ParsedArguments} from '#cli/arguments/args.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {type ReadLogs, readLogs} from '#cli/logs/read-logs.ts';
import type {Judgement} from '#cli/logs/run-incident.ts';
import {chosenEngine} from '#cli/open/chosen-engine.ts';
import {formatInstant} from '#log/line/instant.ts';
import {weakestProof} from '#log/line/proof.ts';
import {kindsOf} from '#log/traits/line-traits.ts';
import {mergeBuffers} from '#log/view/log-view.ts';
import {proofWords} from '#log/words/proof-words.ts';
import {type Answer, type Call, countdown} from './answer.ts';
import {findAllowed} from './files.ts';

/** Which log an agent asks about. */
export type Place = {
  readonly site?: string | undefined;
  readonly branch?: string | undefined;
  readonly file?: string | undefined;
  /** Read it again, although it is held. */
  readonly fresh?: boolean | undefined;
};

export type HeldLog = {
  readonly logs: ReadLogs;
  /** By this machine's clock, milliseconds since 1970. */
  readonly readAtMs: number;
  /** What was said while it was read. */
  readonly remarks: readonly string[];
  /** What was concluded from it, by what was asked: it stays the same while the log is held. */
  readonly judgements: Map<string, Judgement>;
};

/** Two are compared; each may be as large as buffer_mb. */
const heldMax = 2;
/** Questions about one log come one after the other, and mean the same log. Milliseconds. */
const freshMs = 15_000;

/** Runs a task with an input of its own, then what it registered to do at its end. */
export const withInput = async <Result>(
  server: CommandInput,
  own: Pick<CommandInput, 'parsed' | 'say' | 'signal'>,
  run: (input: CommandInput) => Promise<Result>,
): Promise<Result> => {
  const tasks: (() => Promise<void>)[] = [];
  try {
    return await run({...server, ...own, atEnd: task => tasks.push(task)});
  } finally {
    await Promise.allSettled(tasks.map(task => task()));
  }
};

/** Creates a function that reads logs for an agent, and keeps the last ones. */
export const createHeldLogs = (server: CommandInput, folders: readonly string[]) => {
  const held = new Map<string, HeldLog & {readonly stamp: string | undefined}>();
  const {parsed, io} = server;

  return async ({site, branch, file, fresh = false}: Place, signal: AbortSignal): Promise<HeldLog> => {
    if ((file === undefined) === (site === undefined || branch === undefined) || (file ?? site ?? branch) === '') {
      throw new UsageError('give site and branch, or file');
    }
    const allowed = file === undefined ? undefined : await findAllowed(file, folders);
    const key = JSON.stringify(allowed?.path ?? [site, branch]);
    const known = held.get(key);
    const isCurrent =
      allowed === undefined ? io.clock.nowMs() - (known?.readAtMs ?? 0) < freshMs : known?.stamp === allowed.stamp;
    held.delete(key);
    if (known && isCurrent && !fresh) {
      held.set(key, known);
      return known;
    }
    const words = chosenEngine(parsed) === undefined ? [site ?? '', branch ?? ''] : [branch ?? ''];
    const remarks: string[] = [];
    const own = {
      signal,
      say: (sentence: string) => remarks.push(sentence),
      parsed: {
        ...parsed,
        command: 'incident' as const,
        operands: allowed ? [allowed.path] : words,
        switches: allowed ? new Set<string>() : parsed.switches,
        // What is opened is judged by these again: a link may have changed since.
        values: new Map(parsed.values).set('files', folders),
      },
    };
    const readAtMs = io.clock.nowMs();
    const logs = await withInput(server, own, readLogs);
    // Each answer needs them, and a log is asked about several times.
    for (const chunk of logs.own.flatMap(({poll}) => poll.tail.log.buffer.chunks)) {
      signal.throwIfAborted();
      kindsOf(chunk);
      await nextTurn();
    }
    const read = {logs, readAtMs, remarks, stamp: allowed?.stamp, judgements: new Map<string, Judgement>()};
    held.set(key, read);
    for (const [oldest] of [...held].slice(0, Math.max(0, held.size - heldMax))) {
      held.delete(oldest);
    }
    return read;
  };
};

/** What a tool works with. */
export type Toolbox = {
  readonly server: CommandInput;
  readonly folders: readonly string[];
  readonly readLog: (place: Place, signal: AbortSignal) => Promise<HeldLog>;
};

export type Asked = {
  readonly signal: AbortSignal;
  /** What the answer must fit; `given`: as it was asked for, if it was. */
  readonly bytesMax: number;
  readonly given: {readonly maxBytes?: number};
};

/** Returns a command line of our own: what an agent writes is never read as a flag. */
export const commandLine = (
  command: ParsedArguments['command'],
  given: Readonly<Record<string, string | undefined>>,
): ParsedArguments => ({
  command,
  operands: [],
  switches: new Set(),
  values: new Map(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value]] as const])),
  ),
});

export type Given = Readonly<Record<string, unknown>>;

/** Leaves out what an agent did not give. */
export const callOf = (tool: string, given: Given): Call => ({
  tool,
  arguments: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== false)),
});

/** More than this is for a person with a pager. */
export const askedBytesMax = 64_000;

export const moreBytes = (bytesMax: number): number => Math.min(askedBytesMax, bytesMax * 4);

export const noLog = {
  basis: 'what is configured, and what the service lists',
  proof: null,
  gaps: null,
  from: null,
  to: null,
};

export const isoOf = (ms: number): string => new Date(ms).toISOString();

/** What every answer about a log says of it. */
export const heldFacts = ({logs: {own}, readAtMs}: HeldLog) => {
  const tails = own.map(({poll}) => poll.tail);
  const proof = weakestProof(tails.map(({log}) => log.proof)) ?? null;
  const weakest = tails.find(({log}) => log.proof === proof);
  const view = mergeBuffers(tails.map(({log}) => log.buffer));
  const timeOf = (index: number): string | null => {
    const at = view.timeAt(index);
    return at === undefined ? null : formatInstant(at);
  };
  return {
    asOf: isoOf(readAtMs),
    basis: proof === null || weakest === undefined ? 'no log is held' : proofWords(proof, weakest.said),
    proof,
    gaps: tails.reduce((sum, {log}) => sum + log.gapCount, 0),
    from: timeOf(0),
    to: timeOf(view.entryCount - 1),
  };
};

/** Ever shorter lists of records, the last ones left out. */
export function* shorterLists(
  records: readonly object[],
  facts: Omit<Answer, 'records' | 'leftOut' | 'next'>,
  {what, call, next = []}: {readonly what: string; readonly call: Call; readonly next?: Answer['next']},
): Generator<Answer> {
  for (const count of countdown(records.length)) {
    const left = records.length - count;
    const leftOut = left === 0 ? [] : [{what, count: left, call}];
    yield {...facts, leftOut, next, records: records.slice(0, count)};
  }
}
