import {instantFromMs} from '#log/line/instant.ts';
import {createPassingState} from '#service/files/opened/passing-state.ts';
import type {LineSourceContext} from '#service/served/line-source.ts';
import {createLineSink} from '#service/window/line-sink.ts';
import type {PodReading} from '#service/window/line-stamper.ts';
import type {StateBatch} from '#service/window/state-store.ts';

type ContextOptions = {
  readonly pod?: PodReading;
  /** The pod was read before. */
  readonly isOld?: boolean;
  /** What was served before is not in the state. */
  readonly isAnew?: boolean;
  /** What was stored of how far the pod was read. */
  readonly cursor?: string;
  /** Lines of the window from before a restart, without their times. */
  readonly lines?: readonly string[];
  readonly windowLines?: number;
};

/** What a source of lines gets of the service, without one: a window, a state in memory, and a clock that is set. */
export const createSourceContext = (options: ContextOptions = {}) => {
  const {pod = {}, isOld = false, isAnew = false, cursor, lines = [], windowLines = 1_000} = options;
  let nowMs = Date.UTC(2025, 0, 1);
  const warnings: string[] = [];
  const written: StateBatch[] = [];
  const now = () => instantFromMs(nowMs);
  const warn = (message: string): void => {
    warnings.push(message);
  };
  const store = {
    ...createPassingState(),
    isAnew,
    readCursor: () => cursor,
    write: (batch: StateBatch) => {
      written.push(batch);
    },
  };
  const branch = store.findOrAddBranch('s', 'b', '', 0);
  const sink = createLineSink({
    store,
    branch: {...branch, lastSequence: isOld ? lines.length : 0},
    pods: new Map([[1, {name: 'app', ...pod}]]),
    windowLines,
    windowPerPod: false,
    now,
    warn,
  });
  for (const [index, text] of lines.entries()) {
    const stamp = now() - BigInt(lines.length - index);
    sink.window.add({sequence: index + 1, podKey: 1, source: {pod: 'app'}, stamp, line: `${stamp} ${text}`});
  }
  const context: LineSourceContext = {
    podName: 'app',
    podKey: 1,
    isNew: !isOld,
    firstLines: windowLines,
    windowLines,
    sink,
    store,
    wake: () => undefined,
    markRenames: () => async () => undefined,
    rotationGraceMs: 30_000,
    now,
    monotonicMs: () => nowMs,
    warn,
    warnAlways: warn,
  };
  return {
    context,
    sink,
    warnings,
    written,
    /** Lets the time pass. */
    skip: (ms: number): void => {
      nowMs += ms;
    },
    /** Returns the lines of the window without their times, with each loss in its place as `(why)`. */
    story: (): readonly string[] => {
      const losses = [...sink.window.losses()];
      const told = [...sink.window.lines()]
        .toSorted((left, right) => left.sequence - right.sequence)
        .flatMap(({sequence, line}) => {
          const before = losses.splice(0, losses.filter(({number}) => number <= sequence).length);
          return [...before.map(({why}) => `(${why})`), line.slice(line.indexOf(' ') + 1)];
        });
      return [...told, ...losses.map(({why}) => `(${why})`)];
    },
  };
};
