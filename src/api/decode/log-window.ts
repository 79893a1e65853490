import type {Arrivals, WindowCut} from '../../log/line/window-cut.ts';

/** A pod in the answer of the logs operation (interface specification section 2.5), as the log engine needs it. */
export type PodRecord = {
  readonly name: string;
  readonly resourceVersion: string;
  /** Orchestrator metadata (annotations, labels, ownerReferences, …) as received, with secrets wrapped. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** `metadata.creationTimestamp`, if it can be read: distinguishes a pod from a later one of the same name. */
  readonly createdAt: string | undefined;
};

export type LogAnswer = {
  /** One per running pod of the branch. */
  readonly pods: readonly PodRecord[];
  /** `data`: whole lines, `<timestamp> <text>`, oldest first, as received. `events` repeats them and is not read. */
  readonly lines: readonly string[];
  readonly sessionId: string | undefined;
  /**
   * How the service cuts its windows, according to the context or else to the `branchlog-window` header; undefined if
   * neither says.
   */
  readonly cut?: WindowCut | undefined;
  /** What the header says about the lines that arrived. */
  readonly arrivals?: Arrivals | undefined;
};
