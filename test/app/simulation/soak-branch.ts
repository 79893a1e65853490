import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {type LineBuffer, sliceEntries} from '#log/buffer/buffer.ts';
import type {BranchLog, LogWindow} from '#log/ingest/branch-log.ts';
import type {Entry} from '#log/line/entry.ts';
import {type Instant, instantToMs} from '#log/line/instant.ts';
import {createIsUnique, isOfLateLines} from '../../log/simulation/find-faults.ts';
import type {Property} from '../../log/simulation/properties.ts';
import type {Random} from '../../log/simulation/random.ts';
import {type AnsweredLook, type Mark, saidCut, type Trace} from '../../log/simulation/simulate.ts';
import type {ServiceLine} from '../../log/simulation/simulated-service.ts';
import {identityOf} from '../../log/simulation/subject.ts';
import {createSoakService} from './soak-service.ts';

export type SoakBranchOptions = {
  /** What may happen, and what must hold of the log then. */
  readonly property: Property;
  readonly random: Random;
  readonly isLarge: boolean;
  /**
   * Looks at the whole of what was put together after each answer, and not only at the end: slow, to find the step at
   * which it went wrong.
   */
  readonly checksEachStep: boolean;
};

/**
 * A branch that is watched: its service, what that answered since its log was opened, and what must hold. Faults are
 * thrown, in words.
 */
export type SoakBranch = {
  /** So much time goes by, milliseconds. */
  advance(elapsedMs: number): void;
  /** The window that the service answers now. */
  answer(): {readonly answer: Answer<LogAnswer>; readonly lineCount: number; readonly isLagging: boolean};
  /** A window of lines that were there before: of an answer that nobody waits for any more. */
  stale(): Answer<LogAnswer>;
  /** The last answer was taken: `added` is what it brought to the log. */
  taken(added: readonly Entry[], log: BranchLog): void;
  /** The log is opened anew and knows nothing of what was before. */
  open(): void;
  /** The log is left, or the scenario ends. */
  close(log: BranchLog): void;
  calmDown(): void;
  /** The first answer after the faults was taken: from here on nothing may be missing. */
  recover(): void;
  describe(): string;
};

/** A branch of a service of one log, of whose kind of scenario a property must hold. */
export const createSoakBranch = ({property, random, isLarge, checksEachStep}: SoakBranchOptions): SoakBranch => {
  const service = createSoakService(property.allowed, random, isLarge);
  const emitted = new Map<string, number>();
  let countedLines = 0;
  let handedOut = new Map<string, number>();
  let looks: AnsweredLook[] = [];
  let answered: Pick<AnsweredLook, 'shown' | 'pods' | 'arrivedCount' | 'isLagging'> | undefined;
  let recovery: {readonly lineCount: number; readonly lookCount: number} | undefined;

  const countEmitted = (): void => {
    for (const {identity} of service.arrived.slice(countedLines)) {
      emitted.set(identity, (emitted.get(identity) ?? 0) + 1);
    }
    countedLines = service.arrived.length;
  };

  /** Never more copies than the service has, neither held nor handed out. */
  const handOut = (added: readonly Entry[]): void => {
    countEmitted();
    for (const entry of added) {
      if (entry.kind === 'line') {
        const identity = identityOf(entry);
        const count = (handedOut.get(identity) ?? 0) + 1;
        handedOut.set(identity, count);
        assert(count <= (emitted.get(identity) ?? 0), () => `handed out ${count} times: ${identity}`);
      }
    }
  };

  const checkAll = (buffer: LineBuffer): void => {
    const held = entriesIn(buffer).filter(entry => entry.kind === 'line');
    const {options} = service;
    // After empty windows the marker comes with the next line, and nobody has asked yet for what came since the last
    // answer.
    const told = looks.slice(0, looks.findLastIndex(({shown}) => shown.length > 0) + 1);
    const arrived = service.arrived.slice(0, Math.max(0, ...told.map(({arrivedCount}) => arrivedCount)));
    const trace: Trace = {
      scenario: {
        service: options,
        podCount: 0,
        events: [],
        bufferBytesMax: buffer.bytesMax,
        saysCut: property.allowed.saysCut,
        keepsOverlap: property.allowed.keepsOverlap,
      },
      arrived,
      looks: told,
      held,
    };
    const [fault] = property.findFaults(trace, buffer.evictedThrough);
    assert(fault === undefined, () => `${fault}`);
  };

  /**
   * Since the first answer after the faults the log is whole: all lines are here, and where that can be known no marker
   * says otherwise.
   */
  const checkRecovered = (buffer: LineBuffer): void => {
    if (recovery === undefined) {
      return;
    }
    const held = new Set(entriesIn(buffer).map(entry => (entry.kind === 'line' ? identityOf(entry) : '')));
    const floor = buffer.evictedThrough ?? -1n;
    const lost = service.arrived
      .slice(recovery.lineCount, looks.at(-1)?.arrivedCount)
      .find(({at, identity}) => at > floor && !held.has(identity));
    assert(property.keepsLateLines || lost === undefined, () => `lost though no poll failed: ${lost?.raw}`);
    if (!property.allowed.lag && service.options.cut.kind !== 'pod') {
      const {lookCount} = recovery;
      const isMarked = looks.some(
        ({added, shown}, index) =>
          index >= lookCount &&
          // Where all that two windows share are copies or have no timestamp, nobody can know whether they are the same lines.
          sharesUnique(looks[index - 1]?.shown ?? [], shown, service.arrived) &&
          marksAmong(
            added.filter(entry => entry.kind !== 'gap' || !isOfLateLines(entry)),
            0n,
          ).length > 0,
      );
      assert(!isMarked, () => 'a marker of missing lines though no poll failed and each window joins');
    }
  };

  return {
    advance: service.advance,
    answer: () => {
      const {look, isLagging} = service.answer(looks.length > 0);
      answered = {...look, isLagging};
      return {
        lineCount: look.shown.length,
        isLagging,
        answer: answerOf({
          lines: look.shown.map(({raw}) => raw),
          pods: look.pods,
          cut: saidCut(service.options, property.allowed.saysCut),
        }),
      };
    },
    stale: () => answerOf({lines: looks.at(-1)?.shown.map(({raw}) => raw) ?? [], pods: []}),
    taken: (added, {buffer}) => {
      if (answered === undefined) {
        return;
      }
      // As in `simulate`: the lines of a pod that goes may leave with the answer after the one that no longer lists it.
      for (const mark of looks.at(-1)?.marks ?? []) {
        mark.to = mark.kind === 'gone' ? service.newestAt() : mark.to;
      }
      looks.push({...answered, added, marks: marksAmong(added, service.newestAt())});
      handOut(added);
      checkBuffer(buffer);
      if (checksEachStep) {
        checkAll(buffer);
        checkRecovered(buffer);
      }
    },
    open: () => {
      looks = [];
      handedOut = new Map();
      recovery = undefined;
    },
    close: ({buffer}) => {
      checkAll(buffer);
      checkRecovered(buffer);
    },
    calmDown: service.calmDown,
    recover: () => {
      const last = looks.at(-1);
      // After an empty window the next line brings the marker of what was before.
      const markedCount = last?.shown.length === 0 ? 1 : 0;
      recovery = {lineCount: last?.arrivedCount ?? 0, lookCount: looks.length + markedCount};
    },
    describe: () => {
      const {cut, order, tickNanos, stamps} = service.options;
      const size = cut.kind === 'time' ? `${cut.spanNanos} ns` : `${cut.lines} lines`;
      return `“${property.sentence}”, windows cut by ${cut.kind}, ${size}, ${order}, clock of ${tickNanos} ns, stamps ${stamps}`;
    },
  };
};

/** Throws where something does not hold. */
export const assert = (holds: boolean, say: () => string): void => {
  if (!holds) {
    throw new Error(say());
  }
};

export const entriesIn = (buffer: LineBuffer): readonly Entry[] => sliceEntries(buffer, 0, buffer.entryCount);

/**
 * What a merge brought into a buffer: entries are numbered, so it is what is numbered later than all that was there
 * before.
 */
export const entriesSince = (buffer: LineBuffer, before: LineBuffer): readonly Entry[] =>
  buffer.nextId === before.nextId ? [] : entriesIn(buffer).filter(({id}) => id >= before.nextId);

/** Order by time, the counts, and the bound on its bytes. */
export const checkBuffer = (buffer: LineBuffer): void => {
  const entries = entriesIn(buffer);
  let lineCount = 0;
  let before: Entry | undefined;
  for (const entry of entries) {
    assert(before === undefined || before.at <= entry.at, () => `time decreases at entry ${entry.id}, ${entry.at}`);
    lineCount += entry.kind === 'line' ? 1 : 0;
    before = entry;
  }
  assert(lineCount === buffer.lineCount, () => `${buffer.lineCount} lines are counted, ${lineCount} are held`);
  assert(entries.length === buffer.entryCount, () => `${buffer.entryCount} entries counted, ${entries.length} held`);
  // All that has the newest time stays, however much it is.
  const isOneTime = entries[0]?.at === before?.at;
  assert(
    buffer.bytes <= buffer.bytesMax || isOneTime,
    () => `${buffer.bytes} bytes are held, ${buffer.bytesMax} may be`,
  );
};

const sharesUnique = (
  before: readonly ServiceLine[],
  now: readonly ServiceLine[],
  arrived: readonly ServiceLine[],
): boolean => {
  const known = new Set(before);
  const isUnique = createIsUnique(arrived);
  return now.some(line => known.has(line) && isUnique(line));
};

const marksAmong = (added: readonly Entry[], newestAt: Instant): readonly Mark[] =>
  added.flatMap((entry): readonly Mark[] => {
    if (entry.kind === 'gap') {
      return [{kind: 'gap', from: entry.after, to: entry.before}];
    }
    if (entry.kind === 'quiet') {
      return [{kind: 'quiet', from: entry.since, to: newestAt}];
    }
    return entry.kind === 'pod' && entry.change === 'gone' && entry.since !== undefined
      ? [{kind: 'gone', from: entry.since, to: newestAt}]
      : [];
  });

const podRecord = ({name, createdAt}: {readonly name: string; readonly createdAt: string | undefined}) => ({
  name,
  resourceVersion: '1',
  metadata: {},
  createdAt,
});

/** The answer of a good poll with a window in it. */
export const answerOf = ({pods, serviceAt, ...window}: LogWindow): Answer<LogAnswer> => ({
  value: {...window, pods: pods.map(podRecord), sessionId: undefined},
  status: 200,
  durationMs: 20,
  bodyBytes: 1000,
  serviceTimeMs: serviceAt === undefined ? undefined : instantToMs(serviceAt),
  skipped: [],
});
