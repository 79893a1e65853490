import {hash} from 'node:crypto';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import {formatInstant} from '#log/line/instant.ts';
import type {Loss, Numbering} from '#log/window/window-claims.ts';
import type {PodRecord, ServedWindow} from '#service/backend/backend.ts';
import type {RunSlice, SlicedRuns} from './run-slices.ts';

const tagCharacters = 8;

/** Returns a tag that changes whenever the pods of an answer do. */
export const tagPods = once(createWeakCache<readonly PodRecord[], string>(), pods =>
  hash('sha256', JSON.stringify(pods)).slice(0, tagCharacters),
);

const formatLoss = ({source, after, before, number, why, lines, count}: Loss) => ({
  source,
  after: after === undefined ? undefined : formatInstant(after),
  before: before === undefined ? undefined : formatInstant(before),
  number,
  lines,
  count,
  why,
});

/**
 * Formats the field `branchlog` of a log answer (docs/serve.md, "Lines with numbers and sources"), with its runs as
 * they are sliced.
 */
export const formatBranchlogField = (
  {series, first, numbers, sources, losses}: Numbering,
  {pods, unreadable}: Pick<ServedWindow, 'pods' | 'unreadable'>,
  runs: SlicedRuns,
): readonly (string | RunSlice)[] => {
  const rest = JSON.stringify({sources, losses: losses.map(formatLoss), unreadable, pods: tagPods(pods)});
  return [
    `{"series":${JSON.stringify(series)},"first":${first},`,
    ...(numbers ? ['"numbers":[', ...runs.numbers, '],'] : []),
    '"runs":[',
    ...runs.sources,
    `],${rest.slice(1)}`,
  ];
};
