import type {LogState, PodsPane} from '#app/state/state.ts';
import {podId, type SeenPod} from '#app/tail/seen-pods.ts';
import {imageOf} from '#app/words/branch-image.ts';
import type {HeldSource} from '#log/view/sources.ts';
import {countOf} from '#log/words/format-count.ts';
import {listSources} from './log-sources-pane.ts';

/** A pod of one of the log's branches. */
export type SourcedPod = SeenPod & {
  /** Unique in the log. */
  readonly key: string;
  /** The index of its branch in the log, from 0. */
  readonly source: number;
  /** What is held of its containers, if the service says who wrote a line. */
  readonly written: readonly HeldSource[];
};

/** Returns the pods of all branches: those that run, youngest first, then those that went, latest first. */
export const listPods = (log: LogState): readonly SourcedPod[] => {
  const listed = listSources(log);
  return log.sources
    .flatMap(({branch, tail}, source) =>
      tail.pods.map(
        (seen): SourcedPod => ({
          ...seen,
          key: `${source} ${podId(seen.pod)}`,
          source,
          written: listed.filter(({name}) => name.pod === seen.pod.name),
          // A pod of the first answer ran already with the image that the log was opened with.
          image: seen.cameAtMs === undefined ? imageOf(branch) : seen.image,
        }),
      ),
    )
    .toSorted((a, b) => order(a) - order(b));
};

/** Later than any time of creation, in milliseconds. */
const latestMs = 2 ** 52;

/** Pods that came without a time of creation are the youngest; gone ones come after all that run. */
const order = ({wentAtMs, pod, cameAtMs}: SourcedPod): number => {
  if (wentAtMs !== undefined) {
    return latestMs - wentAtMs;
  }
  const createdMs = Date.parse(pod.createdAt ?? '');
  return Number.isNaN(createdMs) ? -(cameAtMs === undefined ? 0 : latestMs + cameAtMs) : -createdMs;
};

/** Returns the pod whose record is open. */
export const openedPod = (pods: readonly SourcedPod[], {selectedKey, details}: PodsPane): SourcedPod | undefined =>
  details === undefined ? undefined : pods.find(({key}) => key === selectedKey);

/** `2 pods run, 1 went`; `word` names one. */
export const countPods = (pods: readonly SourcedPod[], word: string): string => {
  const goneCount = pods.filter(({wentAtMs}) => wentAtMs !== undefined).length;
  const runningCount = pods.length - goneCount;
  const running = `${countOf(runningCount, word)} ${runningCount === 1 ? 'runs' : 'run'}`;
  return goneCount === 0 ? running : `${running}, ${goneCount} went`;
};
