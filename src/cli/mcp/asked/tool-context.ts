import type {ParsedArguments} from '#cli/arguments/args.ts';
import type {CommandInput} from '#cli/arguments/command-input.ts';
import {formatInstant} from '#log/line/instant.ts';
import {weakestProof} from '#log/line/proof.ts';
import {mergeBuffers} from '#log/view/log-view.ts';
import {proofWords} from '#log/words/proof-words.ts';
import {type Answer, type Call, countdown} from '../answer.ts';
import type {HeldLog, Place} from '../held-logs.ts';

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
