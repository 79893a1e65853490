import {createTail, type Tail, windowArrived} from '#app/tail/tail.ts';
import {formatInstant, instantFromMs} from '#log/line/instant.ts';
import {entriesOf} from './subject.ts';

/** From a time on, so many lines a second, evenly. */
export type Rate = {readonly fromMs: number; readonly linesPerSecond: number};

export type PacedScenario = {
  readonly rates: readonly Rate[];
  /** The window holds so many of the loud pod's lines, and those that are no older than so long. */
  readonly windowLines: number;
  readonly windowMs: number;
  /** A pod that logged once and is silent, whose log is cut on its own. */
  readonly hasQuietPod: boolean;
  /** The service says that it cuts the branch's log as one, or each pod's. */
  readonly saysCut: boolean;
  readonly requestMs: number;
  readonly wantedMs: number;
  readonly untilMs: number;
  /** Lines after which it ends all the same. */
  readonly linesMax: number;
};

export type PacedTrace = {
  readonly requestCount: number;
  /** Times of lines that came after the first answer and are not held, milliseconds. */
  readonly lostMs: readonly number[];
  /** What the markers of gaps say, milliseconds. */
  readonly gapsMs: readonly {readonly from: number; readonly to: number}[];
  /** Sent requests, milliseconds. */
  readonly requestsMs: readonly number[];
};

const startMs = Date.UTC(2026, 10, 21, 14);

/** Watches a log through `windowArrived`, asking when the pace says so, in a time that only passes here. */
export const watchPaced = (scenario: PacedScenario, random: () => number = () => 0.5): PacedTrace => {
  const lines: string[] = [];
  const times: number[] = [];
  const quiet = scenario.hasQuietPod ? [`${formatInstant(instantFromMs(startMs - 1000))} quiet`] : [];
  const pods = ['loud', ...(scenario.hasQuietPod ? ['quiet'] : [])].map(name => ({
    name,
    resourceVersion: '1',
    metadata: {},
    createdAt: '1',
  }));
  const firstRate = scenario.rates[0]?.linesPerSecond ?? 0;
  // The first window is full: of a log that was empty nobody can know what came and went.
  let nextLineMs = firstRate > 0 ? -Math.min((scenario.windowLines * 1000) / firstRate, scenario.windowMs) : 0;
  const emitUntil = (nowMs: number): void => {
    for (;;) {
      const rate = scenario.rates.findLast(({fromMs}) => fromMs <= Math.max(0, nextLineMs))?.linesPerSecond ?? 0;
      const nextRate = scenario.rates.find(({fromMs}) => fromMs > Math.max(0, nextLineMs));
      const atMs = rate > 0 ? nextLineMs + 1000 / rate : Number.POSITIVE_INFINITY;
      if (nextRate !== undefined && atMs > nextRate.fromMs && nextRate.fromMs <= nowMs) {
        nextLineMs = nextRate.fromMs;
      } else if (atMs <= nowMs) {
        nextLineMs = atMs;
        times.push(atMs);
        lines.push(`${formatInstant(instantFromMs(startMs) + BigInt(Math.round(atMs * 1e6)))} line ${lines.length}`);
      } else {
        return;
      }
    }
  };
  const look = (nowMs: number): readonly string[] => {
    emitUntil(nowMs);
    let first = Math.max(0, lines.length - scenario.windowLines);
    while (first < lines.length && (times[first] ?? 0) < nowMs - scenario.windowMs) {
      first += 1;
    }
    return [...quiet, ...lines.slice(first)];
  };

  let tail: Tail = createTail({intervalMs: scenario.wantedMs, bufferBytesMax: 1e9, keepsLateLines: false});
  let nowMs = 0;
  const requestsMs: number[] = [];
  while (nowMs < scenario.untilMs && lines.length < scenario.linesMax) {
    requestsMs.push(nowMs);
    const seen = look(nowMs + scenario.requestMs / 2);
    nowMs += scenario.requestMs;
    const cut = scenario.saysCut ? (scenario.hasQuietPod ? 'pod' : 'branch') : undefined;
    const value = {lines: seen, pods, sessionId: undefined, cut} as const;
    const answer = {
      value,
      status: 200,
      durationMs: scenario.requestMs,
      bodyBytes: 0,
      serviceTimeMs: undefined,
      skipped: [],
    };
    const step = windowArrived(tail, answer, {nowMs, random: random()});
    tail = step.tail;
    nowMs += step.nextPollInMs;
  }
  const held = new Set(entriesOf(tail.log).map(entry => (entry.kind === 'line' ? entry.raw : '')));
  const gaps = entriesOf(tail.log).filter(entry => entry.kind === 'gap');
  const sinceMs = (instant: bigint): number => Number(instant - instantFromMs(startMs)) / 1e6;
  return {
    requestCount: requestsMs.length,
    lostMs: times.filter((atMs, index) => atMs > scenario.requestMs / 2 && !held.has(lines[index] ?? '')),
    gapsMs: gaps.map(({after, before: end}) => ({from: sinceMs(after), to: sinceMs(end)})),
    requestsMs,
  };
};
