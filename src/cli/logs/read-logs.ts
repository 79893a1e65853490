import type {Branch} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {openReplayClient} from '#api/recording/replay-client.ts';
import type {Poll} from '#app/tail/tail.ts';
import {type CommandInput, flagValue} from '#cli/arguments/args.ts';
import type {OpenedService} from '#cli/connection/asked-service.ts';
import {chooseBranches, resolveSiteId} from '#cli/connection/choose-branches.ts';
import {readPreferences} from '#cli/connection/read-settings.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import {chosenEngine} from '#cli/open/chosen-engine.ts';
import {findHandOver, readHandedOver} from '#cli/open/find-hand-over.ts';
import {namesFiles, openNamedLog} from '#cli/open/names-files.ts';
import {openService} from '#cli/open/open-service.ts';
import {type BranchState, decodeBranchState} from '#config/memory/branch-state.ts';
import {concludeLog} from '#log/ingest/conclude-log.ts';
import {openedId} from '#service/files/opened-backend.ts';
import {pollBranch, printedBranch, takeWindows} from './follow/poll-branch.ts';
import {chooseReplayed} from './follow/replayed.ts';

/** The client that is asked for logs, and which logs. */
type OpenedLogs = OpenedService & {
  /** A site and its branches, as on a command line. */
  readonly words: readonly string[];
  /** The parts of a log. */
  readonly part: 'pod' | 'container' | 'file';
  readonly handed?: ReadLogs['handed'];
};

/** Opens what the command line names: branches of a service or a cluster, containers, files, a pipe, a command. */
const openLogs = async (input: CommandInput): Promise<OpenedLogs> => {
  const {parsed, io, say, atEnd} = input;
  const engine = chosenEngine(parsed);
  if (engine !== undefined) {
    const {namedId, openEngine} = await import('#cli/open/open-engine.ts');
    const {log, ui} = await readPreferences(parsed, io);
    const reading = {bufferMb: log.bufferMb, firstRead: {since: 0n, tailLines: undefined}, isOneLog: true};
    const {client, service, stop} = await openEngine(engine, parsed.operands, reading, {io, warn: say});
    atEnd(stop);
    return {client, service, log, ui, words: [namedId, namedId], part: 'container'};
  }
  const handed = await findHandOver(parsed, 'whole');
  if (handed !== undefined) {
    const {log, ui} = await readPreferences(parsed, io);
    const {path, memory, head} = handed;
    const own = {handed: {path, savedAtMs: head.savedAtMs, state: decodeBranchState(memory)}};
    return {...readHandedOver(handed), ...own, log: {...log, bufferMb: handed.head.bufferMb}, ui};
  }
  if (await namesFiles(parsed, io, say)) {
    return {...(await openNamedLog(input, {follows: false})), words: [openedId, openedId], part: 'file'};
  }
  return {...(await openService(input)), words: parsed.operands, part: 'pod'};
};

/** A branch, and the last poll of its log. */
export type ReadLog = {readonly branch: Branch; readonly poll: Poll};

/** The logs that an incident is found in. */
export type ReadLogs = Pick<OpenedLogs, 'part'> & {
  readonly own: readonly ReadLog[];
  /** The one to compare with. */
  readonly other: ReadLog | undefined;
  /** The service's clock at the last answer, and how far it is from that of polls, milliseconds. */
  readonly nowMs: number;
  readonly clockOffsetMs: number;
  /** How far the service's clock is ahead of that of this machine, milliseconds; undefined if it tells no time. */
  readonly aheadMs?: number | undefined;
  /** Under what the state folder has what is known of them, and the word that named the site; none of a recording. */
  readonly named?: {readonly contextName: string; readonly siteId: string; readonly word: string} | undefined;
  /** The hand-over that they are read from, and how its reader saw it. */
  readonly handed?: {readonly path: string; readonly savedAtMs: number; readonly state: BranchState} | undefined;
  /** Whose logs they are. */
  readonly context: {readonly name: string; readonly host: string};
  readonly site: {readonly id: string; readonly name: string | undefined};
};

/** Reads what the command line names, once: of a recording, all of it. */
export const readLogs = async (input: CommandInput): Promise<ReadLogs> => {
  const path = flagValue(input.parsed, 'replay');
  const compare = flagValue(input.parsed, 'compare');
  return path === undefined ? readOpened(input, await openLogs(input), compare) : readRecorded(input, path, compare);
};

const readOpened = async (
  {io, say, signal}: CommandInput,
  {client, service, log, words, part, handed}: OpenedLogs,
  compare: string | undefined,
): Promise<ReadLogs> => {
  const {sites} = service;
  try {
    if (compare !== undefined && part !== 'pod') {
      throw new UsageError('--compare names another branch of a site: leave it out');
    }
    const [siteWord = '', ...branchWords] = words;
    const siteId = resolveSiteId(sites, siteWord);
    const choice = {client, sites, siteId, siteWord, mustHaveLog: true, say, signal};
    const own = await chooseBranches({...choice, branchWords});
    const others = compare === undefined ? [] : await chooseBranches({...choice, branchWords: [compare]});
    checkCompared(own, others);
    const branches = [...own, ...others];
    const polls: Poll[] = [];
    await takeWindows(
      branches.map(({_id, name}) => printedBranch(client, [siteId, _id], log, branches.length > 1 ? name : undefined)),
      async (index, poll) => {
        polls[index] = poll;
        return 'goOn';
      },
      io,
      signal,
    );
    const ownOffsetMs = io.clock.nowMs() - io.clock.monotonicMs();
    const isTold = polls.some(({result}) => !(result instanceof ApiError) && result.serviceTimeMs !== undefined);
    const clocks = clockOf(polls, ownOffsetMs);
    return {
      ...split(own.length, branches, polls),
      ...clocks,
      // What was handed over has the clock of then.
      aheadMs: isTold && handed === undefined ? clocks.clockOffsetMs - ownOffsetMs : undefined,
      named: part === 'pod' && handed === undefined ? {contextName: service.name, siteId, word: siteWord} : undefined,
      part,
      handed,
      context: {name: service.name, host: service.host},
      site: {id: siteId, name: sites.find(({id}) => id === siteId)?.name},
    };
  } finally {
    client.close();
  }
};

const checkCompared = (own: readonly Branch[], others: readonly Branch[]): void => {
  if (others.length > 1 || own.some(({_id}) => _id === others[0]?._id)) {
    throw new UsageError(`--compare: name one branch other than ${own.map(({name}) => name).join(', ')}`);
  }
};

const split = (
  ownCount: number,
  branches: readonly Branch[],
  polls: readonly Poll[],
): Pick<ReadLogs, 'own' | 'other'> => {
  const read = branches.flatMap((branch, index) => {
    const {[index]: poll} = polls;
    return poll === undefined
      ? []
      : {branch, poll: {...poll, tail: {...poll.tail, log: concludeLog(poll.tail.log).log}}};
  });
  return {own: read.slice(0, ownCount), other: read[ownCount]};
};

/** If the service sends no time, `ownOffsetMs` is that of this machine's clock. */
const clockOf = (polls: readonly Poll[], ownOffsetMs: number): Pick<ReadLogs, 'nowMs' | 'clockOffsetMs'> => {
  const offsets = polls.flatMap(({result, times}) =>
    result instanceof ApiError || result.serviceTimeMs === undefined ? [] : result.serviceTimeMs - times.cameMs,
  );
  const clockOffsetMs = offsets.length === 0 ? ownOffsetMs : Math.max(...offsets);
  return {clockOffsetMs, nowMs: clockOffsetMs + Math.max(0, ...polls.map(({times}) => times.cameMs))};
};

/** Plays all answers of a recording. */
const readRecorded = async (
  {parsed: {operands}, io, say, signal}: CommandInput,
  path: string,
  compare: string | undefined,
): Promise<ReadLogs> => {
  const client = await openReplayClient({path, speed: Number.POSITIVE_INFINITY, ...io.clock});
  try {
    if (client.notice !== undefined) {
      say(client.notice);
    }
    const own = await chooseReplayed(client, operands, say, signal);
    const others = compare === undefined ? [] : await chooseReplayed(client, [operands[0] ?? '', compare], say, signal);
    const chosen = [...own, ...others].map(({log, branch}) => ({
      log,
      // The only log of a recording needs no name.
      branch: branch ?? decodeBranches([{_id: log.branchId, name: log.branchId}]).value[0],
    }));
    const branches = chosen.flatMap(({branch}) => branch ?? []);
    checkCompared(branches.slice(0, own.length), branches.slice(own.length));
    const polls: Poll[] = [];
    for (const {log} of chosen) {
      const {tail, ...asked} = printedBranch(client, [log.siteId, log.branchId], client, undefined);
      const options = {nowMs: () => client.positionMs, random: () => 0, signal};
      let poll = await pollBranch(asked, tail, options);
      while (client.next(log) !== undefined) {
        poll = await pollBranch(asked, poll.tail, options);
      }
      polls.push(poll);
    }
    const siteId = own[0]?.log.siteId ?? '';
    return {
      ...split(own.length, branches, polls),
      ...clockOf(polls, client.recordedAtMs),
      ...{part: 'pod', context: {name: 'recording', host: client.host}},
      site: {id: siteId, name: client.sites.find(({id}) => id === siteId)?.name},
    };
  } finally {
    client.close();
  }
};
