import type {PodRecord} from '#service/backend/backend.ts';
import {makePodRecord} from '#service/served/served-pod-record.ts';
import type {OpenedSource} from '../../opened/opened-source.ts';

export type OpenedPodsOptions = {
  /** The id of the site and of its branch. */
  readonly id: string;
  readonly name: string;
  readonly sources: readonly OpenedSource[];
  readonly startedAtMs: number;
  /** Whether a stream ended so that it is to be told, by its name. */
  readonly isEndTold: (name: string) => boolean;
};

/** Creates the pods of what was opened by name, one for each source: a stream's goes when it ended. */
export const createOpenedPods = ({id, name, sources, startedAtMs, isEndTold}: OpenedPodsOptions) => {
  let shown: readonly PodRecord[] | undefined;
  const findLive = () => sources.filter(source => source.kind !== 'live' || !isEndTold(source.name));
  return {
    /** Returns those for an answer. The first has all: of a stream that was never there, no end would be told. */
    show: (): readonly PodRecord[] => {
      const live = shown === undefined ? sources : findLive();
      if (shown?.length !== live.length) {
        shown = live.map(source =>
          makePodRecord({
            siteId: id,
            branchId: id,
            applicationName: name,
            namespace: id,
            name: source.name,
            source: source.setup.kind,
            createdAtMs: startedAtMs,
          }),
        );
      }
      return shown;
    },
    /** Whether the next answer will have fewer. */
    isEndAhead: (): boolean => shown?.length !== findLive().length,
  };
};
