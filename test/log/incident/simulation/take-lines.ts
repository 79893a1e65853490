import type {IncidentSource} from '#log/incident/verdict.ts';
import {type BranchLog, createBranchLog, type LogWindow} from '#log/ingest/branch-log.ts';
import {type BranchChange, insertChange} from '#log/ingest/place-markers.ts';
import type {Pod} from '#log/ingest/pods.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import type {ChangeMarker, PodMarker, SourceName} from '#log/line/entry.ts';
import {type Instant, instantFromMs, parseInstant} from '#log/line/instant.ts';
import {noShapes, takeShapes} from '#log/traits/shape-table.ts';
import type {Loss} from '#log/window/window-claims.ts';
import {finishWork} from '#log/work.ts';

/** A line before it is in a log; seconds are since the morning that all drawn logs begin at. */
export type DrawnLine = {readonly second: number; readonly text: string; readonly source?: SourceName | undefined};

const startMs = Date.UTC(2026, 10, 21, 8);

export const millisecondOf = (second: number): number => startMs + Math.floor(second * 1000);

export const instantOf = (second: number): Instant => instantFromMs(startMs) + BigInt(Math.round(second * 1e6)) * 1000n;

export const secondOf = (at: Instant): number => Number(at - instantFromMs(startMs)) / 1e9;

/** The seconds of a drawn log as the clock of people. */
export const clockOf = (second: number): string => new Date(millisecondOf(second)).toISOString().slice(11, 19);

const stampOf = (second: number): string => {
  const micros = Math.round(second * 1e6);
  const fraction = String(((micros % 1e6) + 1e6) % 1e6).padStart(6, '0');
  return `${new Date(startMs + Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19)}.${fraction}000Z`;
};

export const rawOf = ({second, text}: DrawnLine): string => `${stampOf(second)} ${text}`;

export const podOf = (name: string, createdSecond?: number): Pod => ({
  name,
  createdAt: createdSecond === undefined ? undefined : stampOf(createdSecond),
});

/** One answer of a service. */
export type DrawnAnswer = {
  readonly lines: readonly DrawnLine[];
  readonly pods?: readonly Pod[];
  /** The service's clock. */
  readonly second?: number;
  /** Numbered: so many lines before these were dropped. */
  readonly dropped?: number;
  /** Numbered: the losses told, each ahead of the first line of the answer, or of the next one if it has none. */
  readonly losses?: readonly (Omit<Loss, 'number' | 'source'> & {readonly source?: SourceName})[];
  readonly series?: string;
  readonly claims?: Pick<LogWindow, 'cut' | 'sources' | 'notLines'>;
};

export type LogWanted = {
  readonly answers: readonly DrawnAnswer[];
  /** The service numbers its lines, and says of which source each is. */
  readonly isNumbered?: boolean;
  readonly bufferBytesMax?: number;
  readonly changes?: readonly BranchChange[];
};

const numberingOf = (
  {lines, dropped = 0, losses = [], series = 'a'}: DrawnAnswer,
  last: number,
): NonNullable<LogWindow['numbering']> => {
  const sources = new Map<string, readonly [index: number, source: SourceName]>();
  const indexOf = (source: SourceName = {}): number => {
    const key = `${source.pod} ${source.container} ${source.stream}`;
    const [index] = sources.get(key) ?? [sources.size];
    sources.set(key, [index, source]);
    return index;
  };
  const first = last + 1 + dropped;
  const runs = lines.map(({source}): readonly [number, number] => [indexOf(source), 1]);
  return {
    ...{series, first, runs},
    losses: losses.map(({source, ...loss}) => ({...loss, number: first, ...(source && {source: indexOf(source)})})),
    sources: [...sources.values()].map(([, source]) => source),
  };
};

/** Lets the engine take answers, one after the other. */
const logOf = ({answers, isNumbered = false, bufferBytesMax = 1e9, changes = []}: LogWanted): BranchLog => {
  let log = createBranchLog(bufferBytesMax);
  let last = 0;
  let series = 'a';
  for (const answer of answers) {
    if (answer.series !== undefined && answer.series !== series) {
      [series, last] = [answer.series, 0];
    }
    const window: LogWindow = {
      lines: answer.lines.map(rawOf),
      pods: answer.pods ?? [],
      ...(isNumbered ? {numbering: numberingOf(answer, last)} : {cut: 'branch'}),
      ...(answer.second !== undefined && {serviceAt: instantOf(answer.second)}),
      ...answer.claims,
    };
    last += (answer.dropped ?? 0) + answer.lines.length;
    ({log} = takeWindow(log, window));
  }
  return changes.reduce((changed, change) => insertChange(changed, change, changed.horizon ?? 0n), log);
};

/** Lets the engine take answers, and gathers what the program then knows of the branch, as it does. */
export const takeAnswers = (wanted: LogWanted, more: Partial<IncidentSource> = {}): IncidentSource => {
  const {buffer, pods, wholeSince, proof} = logOf(wanted);
  return {
    buffer,
    shapes: finishWork(takeShapes(noShapes, createBranchLog(1e9).buffer, buffer)),
    podNames: pods.map(({name}) => name),
    wholeSince,
    proof,
    knownChanges: [
      ...(wanted.changes ?? []).map(
        (change): ChangeMarker => ({
          ...{kind: 'change', id: 0, at: change.happenedAt ?? 0n, ...change},
        }),
      ),
      ...pods.flatMap(({name, createdAt}): readonly PodMarker[] => {
        const at = parseInstant(createdAt ?? '');
        return at === undefined ? [] : [{kind: 'pod', id: 0, at, change: 'appeared', name, since: undefined}];
      }),
    ],
    ...more,
  };
};

export const byTime = (lines: readonly DrawnLine[]): readonly DrawnLine[] =>
  lines.toSorted((a, b) => a.second - b.second);

/** Cuts a log into answers at some seconds, ascending; each has the pods that were listed when it came. */
export const answersAt = (
  lines: readonly DrawnLine[],
  seconds: readonly number[],
  podsAt: (second: number) => readonly Pod[] = () => [],
): readonly DrawnAnswer[] =>
  seconds.map((second, index) => {
    const from = seconds[index - 1] ?? Number.NEGATIVE_INFINITY;
    return {
      second,
      lines: lines.filter(line => line.second > from && line.second <= second),
      pods: podsAt(second),
    };
  });
