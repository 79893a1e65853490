import {readFile, stat} from 'node:fs/promises';
import type {Answer, Branch, LogAnswer, PodRecord} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import type {Client} from '#api/client/client.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {decodeLog} from '#api/client/decode-log.ts';
import {isPodSources} from '#api/client/log-headers-read.ts';
import {noToken} from '#api/client/no-token.ts';
import type {Table} from '#base/table.ts';
import type {BranchLog, HeldFacts, KeptLog} from '#log/ingest/branch-log.ts';
import {type Instant, instantFromMs} from '#log/line/instant.ts';
import {proofs} from '#log/line/proof.ts';
import type {HeldFrom, HeldTo} from '#log/line/unread.ts';
import type {Anchor} from '#log/view/log-view.ts';
import {type WindowClaims, windowCuts} from '#log/window/window-claims.ts';
import {readTime} from './files/held-entries.ts';
import {isCount, isList, readTable, readText} from './files/json-value.ts';
import {type ReadHandedLog, readHandOver} from './hand-over.ts';
import {reasonOf} from './recording-file.ts';
import {RecordingError} from './recording-format.ts';

/** A file with more is no hand-over: a million lines have 15 MB. */
const fileBytesMax = 1024 * 1024 * 1024;

/** What a hand-over says of itself. Names are foreign text. */
export type HandOverHead = {
  readonly savedAtMs: number;
  /** The user's name on the machine that it was saved on. */
  readonly savedBy: string;
  readonly context: {readonly name: string; readonly host: string; readonly parts: string | undefined};
  readonly site: {readonly id: string; readonly name: string | undefined};
  readonly bufferMb: number;
  /** The version of branchlog that saved it. */
  readonly branchlog: string;
};

/** The entry at the top of the pane, none while following, that of the cursor, and one that keeps its row. */
export type HandedPlace = {
  readonly top?: Anchor | undefined;
  readonly cursor?: Anchor | undefined;
  readonly held?: {readonly anchor: Anchor; readonly row: number} | undefined;
};

/** What a hand-over has of one log, besides its entries. */
type LogFacts = {
  readonly branch: Branch;
  readonly log: BranchLog;
  readonly said: SaidClaims;
  readonly pods: readonly object[];
  readonly learnedUntil: Instant | undefined;
};

/** Returns the facts of a log for `writeHandOver`; its caller writes instants as text. */
export const handedFacts = ({branch, log, said, pods, learnedUntil}: LogFacts): object => ({
  branch: branch.record,
  held: storeFacts(log, said),
  pods,
  learnedUntil,
});

/** A hand-over as a service of its site. Its client gives each log once, and nothing comes after it. */
export type OpenedHandOver = {
  readonly path: string;
  readonly head: HandOverHead;
  readonly place: HandedPlace;
  /** The view that was saved, as it is in the state folder. */
  readonly memory: Table;
  /** As `incident --format json` prints them. */
  readonly findings: readonly Table[];
  readonly branches: readonly Branch[];
  readonly client: Client;
};

type Opening = {
  /** The entry to show instead of the place where its reader was. */
  readonly number: number | undefined;
  /** What is around that place comes first, or all at once. */
  readonly opens: 'place' | 'whole';
};

/** Opens a hand-over. Throws a `RecordingError` if the file cannot be read, was changed, or has no such entry. */
export const openHandOver = async (path: string, {number, opens}: Opening): Promise<OpenedHandOver> => {
  const {head, view, findings, logs} = readHandOver(await readWhole(path), path);
  const branches = decodeBranches(logs.map(({facts}) => facts.branch)).value;
  const site = readTable(head.site);
  const place = number === undefined ? readPlace(view.place) : placeOf(logs, number, path);
  if (branches.length !== logs.length) {
    throw new RecordingError(`${path} is damaged: it names ${branches.length} branches for ${logs.length} logs`);
  }
  const savedAtMs = readMs(head.savedAtMs);
  return {
    path,
    head: {
      savedAtMs,
      savedBy: readText(head.savedBy) ?? 'somebody',
      context: readContext(head.context),
      site: {id: readText(site.id) ?? 'site', name: readText(site.name)},
      bufferMb: Math.min(4096, Math.max(1, Number(head.bufferMb) || 1)),
      branchlog: readText(head.branchlog) ?? '',
    },
    place,
    // An entry that was asked for is shown, whatever its reader had left out.
    memory: {...readTable(view.memory), ...(number !== undefined && unfiltered)},
    findings,
    branches,
    client: createClient(
      branches.map((branch, index) => ({branch, log: logs[index]})),
      savedAtMs,
      opens === 'place' ? place : undefined,
    ),
  };
};

/** Milliseconds since 1970; the beginning of 1970 for what is no time. */
const readMs = (value: unknown): number => {
  const isWhole = typeof value === 'number' && Number.isSafeInteger(Math.round(value));
  return isWhole && readTime(String(instantFromMs(value))) !== undefined ? value : 0;
};

const unfiltered = {filters: [], minimumLevel: undefined, sourcePick: undefined};

const readWhole = async (path: string): Promise<Buffer> => {
  try {
    const {size} = await stat(path);
    if (size > fileBytesMax) {
      throw new RecordingError(`${path} is no hand-over: it is larger than any`);
    }
    return await readFile(path);
  } catch (error) {
    throw error instanceof RecordingError
      ? error
      : new RecordingError(`${path} cannot be read, ${reasonOf(error)}`, {cause: error});
  }
};

const readContext = (json: unknown): HandOverHead['context'] => {
  const table = readTable(json);
  return {name: readText(table.name) ?? '', host: readText(table.host) ?? '', parts: readText(table.parts)};
};

const readPlace = (json: unknown): HandedPlace => {
  const table = readTable(json);
  const held = readTable(table.held);
  const anchor = readAnchor(held.anchor);
  const row = Number.isSafeInteger(held.row) ? Number(held.row) : 0;
  return {top: readAnchor(table.top), cursor: readAnchor(table.cursor), held: anchor && {anchor, row}};
};

const readAnchor = (json: unknown): Anchor | undefined => {
  const {source, id, at} = readTable(json);
  const time = readTime(at);
  return time === undefined || !Number.isSafeInteger(source) || !Number.isSafeInteger(id)
    ? undefined
    : {source: Number(source), id: Number(id), at: time};
};

const placeOf = (logs: readonly ReadHandedLog[], number: number, path: string): HandedPlace => {
  for (const [source, log] of logs.entries()) {
    const block = log.blocks.find(({first, count}) => number >= first && number < first + count);
    const entry = block && log.read(block)[number - block.first];
    if (entry !== undefined) {
      return {cursor: {source, id: number, at: entry.at}};
    }
  }
  const last = logs.flatMap(({blocks}) => blocks).reduce((end, {first, count}) => Math.max(end, first + count - 1), 0);
  throw new RecordingError(`${path} has no entry ${number}: its last is ${last}`);
};

type ClientLog = {readonly branch: Branch; readonly log: ReadHandedLog | undefined};

/** Answers with what is at a place of each log, if there is one, then with all of it. */
const createClient = (logs: readonly ClientLog[], savedAtMs: number, place: HandedPlace | undefined): Client => {
  const asked = new Map<string, number>();
  const faults = new Map<string, RecordingError>();
  const answer = <T>(value: T): Answer<T> => ({
    ...{value, status: 200, durationMs: 0, bodyBytes: 0, serviceTimeMs: savedAtMs, skipped: []},
  });
  const list = async () => answer(logs.map(({branch}) => branch));
  const fetchLog = async (_: string, branchId: string): Promise<Answer<LogAnswer>> => {
    const index = logs.findIndex(({branch}) => branch._id === branchId);
    const log = logs[index]?.log;
    if (log === undefined) {
      throw new ApiError('notFound', 'the hand-over has no such branch', {status: 404});
    }
    const fault = faults.get(branchId);
    if (fault !== undefined) {
      // Whoever asks again is not told that there are no lines.
      throw new ApiError('notInterface', fault.message, {cause: fault});
    }
    const times = asked.get(branchId) ?? 0;
    asked.set(branchId, times + 1);
    const first = place === undefined ? log.blocks : blocksAt(log, index, place);
    const isWhole = first.length === log.blocks.length;
    if (times > (isWhole ? 0 : 1)) {
      throw new ApiError('ended', 'the hand-over ends here');
    }
    const blocks = noting(log, times === 0 ? first : log.blocks, error => faults.set(branchId, error));
    return answer(answerOf(log, blocks, times === 0 && !isWhole));
  };
  return {
    listBranches: list,
    listDeployedBranches: list,
    fetchLog,
    probeLog: async () => {
      throw new ApiError('ended', 'the hand-over ends here');
    },
    countErrors: async () => undefined,
    token: noToken,
    close: () => undefined,
  };
};

/** Entries around those that are shown first, so that a screen is full. */
const nearEntries = 500;

/** Returns the blocks that have the entry of a place, or entries of its time; the last one while following. */
const blocksAt = ({blocks}: ReadHandedLog, source: number, place: HandedPlace): ReadHandedLog['blocks'] => {
  const top = place.top ?? place.cursor;
  if (top === undefined) {
    return blocks.slice(-1);
  }
  const index = blocks.findLastIndex(({first, at}) => (top.source === source ? first <= top.id : at <= top.at));
  const block = blocks[Math.max(0, index)];
  if (block === undefined) {
    return [];
  }
  const isNearBegin = top.source !== source || top.id - block.first < nearEntries;
  const isNearEnd = top.source !== source || block.first + block.count - top.id < nearEntries;
  return blocks.slice(Math.max(0, index - (isNearBegin ? 1 : 0)), Math.max(0, index) + (isNearEnd ? 2 : 1));
};

/** Reads blocks one by one, and notes what keeps one from being read. */
const noting = (
  log: ReadHandedLog,
  blocks: ReadHandedLog['blocks'],
  note: (error: RecordingError) => void,
): KeptLog['blocks'] => ({
  *[Symbol.iterator]() {
    try {
      for (const block of blocks) {
        yield log.read(block);
      }
    } catch (error) {
      if (error instanceof RecordingError) {
        note(error);
      }
      throw error;
    }
  },
});

const answerOf = (log: ReadHandedLog, blocks: KeptLog['blocks'], hasMore: boolean): LogAnswer => {
  const last = log.blocks.at(-1);
  const {facts, said} = readFacts(log.facts.held, last === undefined ? 1 : last.first + last.count);
  const kept: KeptLog = {blocks, facts, learnedUntil: readTime(log.facts.learnedUntil)};
  return {
    lines: [],
    pods: readPods(log.facts.pods),
    sessionId: undefined,
    ...said,
    kept,
    ...(hasMore && {next: 'there'}),
  };
};

const readPods = (json: unknown): readonly PodRecord[] =>
  decodeLog({data: [], podNamesList: isList(json) ? json : []}).value.pods;

/** What a service said of its windows. */
type SaidClaims = Pick<WindowClaims, 'cut' | 'sources'>;

/** Returns what is known of a log besides its entries. */
const storeFacts = ({buffer, ...log}: BranchLog, said: SaidClaims): object => ({
  horizon: log.horizon,
  heldFrom: log.heldFrom && storeTimes(log.heldFrom),
  heldTo: log.heldTo && storeTimes(log.heldTo),
  wholeSince: log.wholeSince,
  proof: log.proof,
  gapCount: log.gapCount,
  evictedLines: buffer.evictedLines,
  evictedThrough: buffer.evictedThrough,
  tooLateLines: buffer.tooLateLines,
  said: {cut: said.cut, sources: said.sources},
});

const storeTimes = ({at, why, ...rest}: HeldFrom | HeldTo): object => ({
  ...{at, why},
  ...('arrivalsFrom' in rest && {arrivalsFrom: rest.arrivalsFrom}),
});

/** Reads what `storeFacts` returned; what is not valid counts as not known. `nextId`: no entry of the log has it. */
const readFacts = (json: unknown, nextId: number): {readonly facts: HeldFacts; readonly said: SaidClaims} => {
  const table = readTable(json);
  const said = readTable(table.said);
  const sources = isPodSources(said.sources) ? said.sources : undefined;
  return {
    facts: {
      horizon: readTime(table.horizon),
      heldFrom: readHeld(table.heldFrom, heldFromWhys),
      heldTo: readHeld(table.heldTo, heldToWhys),
      wholeSince: readTime(table.wholeSince),
      proof: proofs.find(proof => proof === table.proof) ?? 'inferred',
      gapCount: countOf(table.gapCount),
      evictedLines: countOf(table.evictedLines),
      evictedThrough: readTime(table.evictedThrough),
      tooLateLines: countOf(table.tooLateLines),
      nextId,
    },
    said: {cut: windowCuts.find(cut => cut === said.cut), sources},
  };
};

const heldFromWhys: readonly HeldFrom['why'][] = ['asked', 'file', 'memory', 'start'];
const heldToWhys: readonly HeldTo['why'][] = ['newest'];

const countOf = (value: unknown): number => (isCount(value) ? value : 0);

/** What was unread when the log was saved cannot be read from the file: the first reason stands for that, too. */
const readHeld = <Why extends string>(
  json: unknown,
  whys: readonly Why[],
): {readonly at: Instant; readonly why: Why; readonly arrivalsFrom?: Instant} | undefined => {
  const table = readTable(json);
  const at = readTime(table.at);
  const why = whys.find(each => each === table.why) ?? whys[0];
  const arrivalsFrom = readTime(table.arrivalsFrom);
  return at === undefined || why === undefined
    ? undefined
    : {at, why, ...(arrivalsFrom !== undefined && {arrivalsFrom})};
};
