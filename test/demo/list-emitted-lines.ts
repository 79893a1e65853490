import {createSampleWorld, type WorldOptions} from '#demo/world/sample-backend.ts';
import type {EmittedLine} from '#demo/world/seed/log-source.ts';

export type EmittedLinesQuery = WorldOptions & {
  readonly siteId: string;
  readonly branchId: string;
  /** Milliseconds since 1970; the first is included, the second not. */
  readonly fromMs: number;
  readonly toMs: number;
};

/**
 * Writes a branch's whole log between two times again, from the seed alone: what the windows of a backend with the same
 * scenario, seed and start are cut from. In order of time, lines that arrive late in their place. Empty where there is no such branch.
 */
export const listEmittedLines = (query: EmittedLinesQuery): readonly EmittedLine[] =>
  createSampleWorld(query)
    .find(({id}) => id === query.siteId)
    ?.branches.find(({setting}) => setting.branchId === query.branchId)
    ?.log.listEmitted(query.fromMs, query.toMs) ?? [];
