import type {FileHandle} from 'node:fs/promises';
import type {Client} from '#api/client/client.ts';
import type {ParsedArguments} from '#cli/arguments/args.ts';
import type {LogsOptions} from '#cli/arguments/logs-options.ts';
import {resolveRange} from '#cli/arguments/time-range.ts';
import {type AskedService, serviceInside} from '#cli/connection/asked-service.ts';
import {createBackendClient} from '#cli/connection/backend-client.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import type {Clock, Io, Say} from '#cli/io/io.ts';
import {type Instant, instantFromMs} from '#log/line/instant.ts';
import type {HeldFrom} from '#log/line/unread.ts';
import {handOverSuffix} from '#log/words/deep-link.ts';
import {ServiceError} from '#service/backend/errors.ts';
import {findOpened, hasSeveralFiles} from '#service/files/find-opened.ts';
import {createOpenedBackend, type OpenedBackendOptions, openedId} from '#service/files/opened-backend.ts';
import {type SoughtTime, seekTime} from '#service/files/seek-time.ts';
import {findLastLines} from '#service/window/fingerprint.ts';
import {readOwnTime} from '#service/window/read-own-time.ts';

/** How a log is read that was opened by name. */
export type LogReading = {
  /** How far back files are read at first: so many lines of each, and lines since a time; else all. */
  readonly back: Partial<Pick<LogsOptions, 'tail' | 'since'>>;
  /** How many lines are read after the first answer, and as far as `since`; undefined: none. */
  readonly wantedLines?: number | undefined;
  readonly firstBytesMax: number;
  /** All that there is comes with the first answer; undefined: if there are several sources. */
  readonly isAllAtOnce: boolean | undefined;
  readonly follows: boolean;
};

/** A log that was opened by name, as a service of one branch. */
export type NamedLog = {
  readonly name: string;
  readonly client: Client;
  readonly service: AskedService;
  /** Whether all that there is has been read, and no stream is still open. */
  isReadToEnd(): boolean;
  /** Whether something that was named cannot be read now, which was said. */
  isIncomplete(): boolean;
  /** Whether a named command or stream ended with a fault, which was reported. */
  hasFailed(): boolean;
  heldFrom(): HeldFrom;
  stop(): Promise<void>;
};

/** What was found of names. */
export type NamedSources = Pick<OpenedBackendOptions, 'sources' | 'scope'>;

/** The logs that the command line names; standard input if it names none and that is not a terminal. */
const wordsOf = ({operands, program = []}: ParsedArguments, {stdin}: Io): readonly string[] => {
  if (operands.length > 0 || program.length > 0 || stdin.isTTY !== true) {
    return operands.length === 0 && program.length === 0 ? ['-'] : operands;
  }
  throw new UsageError(
    'nothing to open: name a file, as in branchlog open app.log, or a command, as in branchlog open -- docker logs -f web',
  );
};

/** In a file whose lines are out of order, those since a time are anywhere. */
const sinceOffset = ({blockOffset, order}: SoughtTime): number => (order === 'broken' ? 0 : blockOffset);

type BeginningOptions = {
  /** If there are more bytes, the last are read. */
  readonly bytes?: number;
  readonly clock: Clock;
  readonly warn: Say;
};

const sinceOf = ({since}: LogReading['back'], clock: Clock): Instant | undefined =>
  resolveRange({since}, instantFromMs(clock.nowMs())).from;

/** Returns what finds where reading of a file begins: where all of these bounds allow it. */
export const beginningOf = (
  back: LogReading['back'],
  {bytes = Number.POSITIVE_INFINITY, clock, warn}: BeginningOptions,
) => {
  const since = sinceOf(back, clock);
  const {tail} = back;
  return async (handle: FileHandle, path: string): Promise<number> => {
    const {size: sizeBytes, mtimeNs: writtenAt} = await handle.stat({bigint: true});
    const size = Number(sizeBytes);
    const findSince = async (from: Instant): Promise<number> => {
      if (writtenAt < from) {
        return size;
      }
      const now = instantFromMs(clock.nowMs());
      const context = {now: writtenAt < now ? writtenAt : now};
      const sought = await seekTime(handle, size, from, line => readOwnTime(line, context));
      if (sought.order === 'none' && size > 0) {
        warn(`no line of ${path} has a time that can be read: --since leaves out none of them`);
      }
      return sinceOffset(sought);
    };
    return Math.max(
      since === undefined ? 0 : await findSince(since),
      tail === undefined ? 0 : (await findLastLines(handle, size, tail)).offset,
      bytes >= size ? 0 : (await findLastLines(handle, size - bytes, 0)).offset,
    );
  };
};

/** Finds what the command line names. Throws a `UsageError` that says what is wrong with a name. */
export const findWords = async (parsed: ParsedArguments, io: Io): Promise<NamedSources> => {
  const handed = parsed.operands.find(word => word.endsWith(handOverSuffix));
  if (handed !== undefined) {
    throw new UsageError(`${handed} was handed over, and is opened alone: branchlog ${handed}`);
  }
  const within = parsed.values.get('files');
  const scope = within === undefined ? 'named' : {within};
  const sources = await findOpened({
    words: wordsOf(parsed, io),
    command: parsed.program ?? [],
    withRotated: parsed.switches.has('rotated'),
    stdin: io.stdin,
    scope,
  }).catch((error: unknown) => {
    throw error instanceof ServiceError ? new UsageError(error.message, {cause: error}) : error;
  });
  return {sources, scope};
};

/** Opens what was found. */
export const openNamed = async (
  {sources, scope}: NamedSources,
  {clock}: Io,
  warn: Say,
  {back, wantedLines, firstBytesMax, isAllAtOnce, follows}: LogReading,
): Promise<NamedLog> => {
  const [first, ...others] = sources;
  const name = `${first?.name ?? ''}${others.length === 0 ? '' : ` and ${others.length} more`}`;
  const isAll = isAllAtOnce ?? hasSeveralFiles(sources);
  const backend = createOpenedBackend({
    name,
    sources,
    scope,
    // If there are more than fit into memory, the last lines are put in order.
    beginsAt: beginningOf(back, {bytes: isAll ? firstBytesMax : Number.POSITIVE_INFINITY, clock, warn}),
    goal: wantedLines === undefined ? undefined : {since: sinceOf(back, clock), lines: wantedLines},
    firstBytesMax,
    firstLinesMax: isAll ? back.tail : undefined,
    isAllAtOnce: isAll,
    follows,
    now: () => instantFromMs(clock.nowMs()),
    monotonicMs: clock.monotonicMs,
    warn,
  });
  await backend.start();
  return {
    name,
    client: createBackendClient({backend, name, clock}),
    service: serviceInside(name, '', [openedId]),
    heldFrom: backend.heldFrom,
    isIncomplete: backend.isIncomplete,
    hasFailed: backend.hasFailed,
    isReadToEnd: backend.isReadToEnd,
    stop: backend.close,
  };
};
