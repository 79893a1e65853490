import type {LogWindow} from '#log/ingest/branch-log.ts';
import type {Unreadable} from '#log/line/entry.ts';
import type {Texts} from '#log/window/texts.ts';

/** A pod in the answer of the logs operation (interface specification section 2.5), as the log engine needs it. */
export type PodRecord = {
  readonly name: string;
  readonly resourceVersion: string;
  /** Orchestrator metadata (annotations, labels, ownerReferences, …) as received, with secrets wrapped. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** `metadata.creationTimestamp`, if it can be read: distinguishes a pod from a later one of the same name. */
  readonly createdAt: string | undefined;
};

/** `lines` is `data`: whole lines, `<timestamp> <text>`, as received. `events` repeats them and is not read. */
export type LogAnswer<T extends Texts = Texts> = Omit<LogWindow<T>, 'pods' | 'serviceAt'> & {
  /** One per running pod of the branch. */
  readonly pods: readonly PodRecord[];
  readonly sessionId: string | undefined;
  /** What the answer says about pods that cannot be read now. */
  readonly unreadable?: Unreadable | undefined;
  /** More lines are there, after these. */
  readonly hasMore?: boolean | undefined;
};
