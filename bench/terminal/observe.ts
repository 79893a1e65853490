import {setTimeout as delay} from 'node:timers/promises';
import {cpuMsOf} from './process-cost.ts';
import type {Session} from './session.ts';

/** The resources that a program used over some time. */
export type Observation = {
  /** As a share of one core. */
  readonly cpuPercent: number;
  readonly bytes: number;
  readonly seconds: number;
};

/** Observes a program for some milliseconds without touching it. */
export const observe = async (session: Session, forMs: number): Promise<Observation> => {
  const startMs = performance.now();
  const cpuMsBefore = cpuMsOf(session.pid);
  const bytesBefore = session.bytesReceived();
  await delay(forMs);
  const tookMs = performance.now() - startMs;
  return {
    cpuPercent: ((cpuMsOf(session.pid) - cpuMsBefore) / tookMs) * 100,
    bytes: session.bytesReceived() - bytesBefore,
    seconds: tookMs / 1000,
  };
};
