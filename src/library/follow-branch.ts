import {setTimeout as sleep} from 'node:timers/promises';
import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {type Client, type ClientOptions, createClient, type ServiceClient} from '#api/client/client.ts';
import {createTail, type PollOptions, pollTail} from '#app/tail/tail.ts';
import type {BranchLog} from '#log/ingest/branch-log.ts';
import type {Entry, Unreadable} from '#log/line/entry.ts';
import {asStrings} from '#log/window/texts.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';

/** An answer whose lines are an array. */
export type LibraryLogAnswer = LogAnswer<readonly string[]>;

/** A client whose logs have their lines as an array of strings. */
export type LibraryClient = Omit<ServiceClient, 'fetchLog'> & {
  fetchLog(siteId: string, branchId: string, signal?: AbortSignal, after?: ReadUpTo): Promise<Answer<LibraryLogAnswer>>;
};

/** Creates a client of one service, for one tenant. Sends nothing; a bad `caFile` fails with the first request. */
export const createLibraryClient = (options: ClientOptions): LibraryClient => {
  const client = createClient(options);
  return {
    ...client,
    fetchLog: async (...request) => {
      const answer = await client.fetchLog(...request);
      return {...answer, value: {...answer.value, lines: asStrings(answer.value.lines)}};
    },
  };
};

export type FollowBranchOptions = {
  readonly siteId: string;
  /** The branch's `_id`, not its name. */
  readonly branchId: string;
  /** The wanted time between polls, in milliseconds; a fast log is polled more often, a quiet one less. */
  readonly intervalMs?: number | undefined;
  /** How much of the log is kept, in bytes: late lines are placed and copies recognised within it. */
  readonly bufferBytesMax?: number | undefined;
  /** Ends the iteration when aborted, also during a request. */
  readonly signal?: AbortSignal | undefined;
};

/** The outcome of one poll. `log` is the log assembled so far, an immutable value. */
export type FollowedPoll = {
  readonly log: BranchLog;
  /** New lines and markers, in print order; a late line is marked `late`. Empty if the poll failed. */
  readonly added: readonly Entry[];
  /** Set if the poll failed. The next one follows after a delay that grows, or that the service asked for. */
  readonly error: ApiError | undefined;
  /** The pods that cannot be read now, as of the last answer. */
  readonly unreadable: Unreadable | undefined;
};

/** A freshness that no person waits for, at a load that no service minds. */
const usualIntervalMs = 1000;

/** About 100,000 lines: an hour of a busy branch. */
const usualBufferBytes = 32 * 1024 * 1024;

/**
 * Follows a branch's log: polls it, one request at a time, at the pace that its lines ask for, and yields the outcome
 * of each poll. The next request is sent when the consumer asks for the next value, at the earliest when it is due.
 * Throws the `ApiError` of the first poll; after a good one, errors are yielded and never end the iteration.
 */
export async function* followBranch(
  client: Pick<Client, 'fetchLog'>,
  {
    siteId,
    branchId,
    intervalMs = usualIntervalMs,
    bufferBytesMax = usualBufferBytes,
    signal = new AbortController().signal,
  }: FollowBranchOptions,
): AsyncGenerator<FollowedPoll, void, undefined> {
  let tail = createTail({intervalMs, bufferBytesMax, keepsLateLines: true});
  const options: PollOptions = {
    fetchLog: (fetchSignal, after) => client.fetchLog(siteId, branchId, fetchSignal, after),
    nowMs: () => performance.now(),
    random: Math.random,
    signal,
  };
  while (!signal.aborted) {
    const poll = await pollTail(tail, options).catch((error: unknown) => {
      if (!signal.aborted) {
        throw error;
      }
    });
    if (poll === undefined) {
      return;
    }
    const {added, result, nextPollAtMs} = poll;
    tail = poll.tail;
    const error = result instanceof ApiError ? result : undefined;
    yield {log: tail.log, added, error, unreadable: tail.unreadable};
    await sleep(Math.max(0, nextPollAtMs - performance.now()), undefined, {signal}).catch(() => undefined);
  }
}
