import {instantFromMs} from '#log/line/instant.ts';
import {makeLineAt} from './access-line.ts';
import type {LogPlan} from './log-plan.ts';

/** Time between two lines that no clock separates. */
const stepMs = 2;

export type PlannedLog = {
  /** Returns the newest lines; counts as a request. */
  window(): readonly string[];
  /** Logs this many lines now. */
  add(lines: number): void;
  readonly linesLogged: number;
  readonly requests: number;
};

/**
 * Creates a log that grows as planned. Each line is stamped with the time at which it was logged; the newest is last.
 */
export const createPlannedLog = (plan: LogPlan): PlannedLog => {
  const {firstLines, windowLines} = plan;
  const startMs = Date.now();
  // Keep only what a window can show.
  let newest: string[] = [];
  let linesLogged = 0;
  let requests = 0;
  const grow = (to: number, atMsOf: (index: number) => number): void => {
    for (; linesLogged < to; linesLogged += 1) {
      newest.push(makeLineAt(linesLogged, instantFromMs(atMsOf(linesLogged))));
    }
    newest = newest.slice(-windowLines);
  };
  // A stepping log's lines were all logged before the start, and are revealed step by step.
  const linesBeforeStart = plan.kind === 'stepping' ? plan.linesMax : firstLines;
  const atMsBeforeStart = (index: number): number => startMs - (linesBeforeStart - index) * stepMs;
  grow(firstLines, atMsBeforeStart);
  return {
    window() {
      requests += 1;
      if (plan.kind === 'timed') {
        const {linesPerSecond} = plan;
        const due = firstLines + Math.floor(((Date.now() - startMs) / 1000) * linesPerSecond);
        grow(due, index => startMs + ((index - firstLines + 1) / linesPerSecond) * 1000);
      } else if (plan.kind === 'stepping' && requests > 1) {
        grow(Math.min(linesLogged + plan.linesPerRequest, plan.linesMax), atMsBeforeStart);
      }
      return newest;
    },
    add(lines) {
      const nowMs = Date.now();
      grow(linesLogged + lines, () => nowMs);
    },
    get linesLogged() {
      return linesLogged;
    },
    get requests() {
      return requests;
    },
  };
};
