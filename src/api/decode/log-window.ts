import type {HeldFrom} from '../../log/line/held-from.ts';
import type {Numbering} from '../../log/line/numbering.ts';
import type {Unreadable} from '../../log/line/unreadable.ts';
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
  /**
   * The index in `lines` of the line that follows each item of `data` that is no string: ascending, and `lines.length`
   * after the last line. Left out if there is none.
   */
  readonly notLines?: readonly number[] | undefined;
  readonly sessionId: string | undefined;
  /**
   * How the service cuts its windows, according to the context or else to the `branchlog-window` header; undefined if
   * neither says.
   */
  readonly cut?: WindowCut | undefined;
  /** How many sources a pod has, according to the context or else to the header; for a cut by source. */
  readonly sources?: number | undefined;
  /** What the header says about the lines that arrived. */
  readonly arrivals?: Arrivals | undefined;
  /** What the answer says about the number and the source of each line. */
  readonly numbering?: Numbering | undefined;
  /** How far back the log is held, as far as a backend in this program knows. */
  readonly heldFrom?: HeldFrom | undefined;
  /** What the answer says about pods that cannot be read now. */
  readonly unreadable?: Unreadable | undefined;
  /** How streams ended whose pods are gone, by name, as far as a backend in this program knows. */
  readonly endings?: ReadonlyMap<string, string> | undefined;
  /** The lines are none that were written since, but from before the first ones. */
  readonly areEarlier?: boolean | undefined;
  /** More lines are there, after these. */
  readonly hasMore?: boolean | undefined;
};
