import {meansWorkload, parseWorkload} from '#base/workload-kinds.ts';
import type {LogWindow} from '#log/ingest/branch-log.ts';
import type {Unreadable} from '#log/line/entry.ts';
import type {Texts} from '#log/window/texts.ts';
import type {BranchFields} from './branch-fields.ts';

/** Checks whether a word names a workload of the branch, as for kubectl: `deployment/web`, `sts/db`, or only `web`. */
export const isOfWorkload = ({workloads}: {readonly workloads: readonly string[]}, word: string): boolean => {
  const wanted = parseWorkload(word);
  return (
    wanted !== undefined &&
    workloads.some(workload => {
      const {kind, name} = parseWorkload(workload) ?? {};
      return kind !== undefined && name !== undefined && meansWorkload(wanted, {kind, name});
    })
  );
};

/**
 * The branch record, interface specification sections 2.1 to 2.4. Field names are those of the specification. Every
 * string is foreign text and is sanitised before it reaches a cell. Timestamps are ISO 8601 in UTC, kept as received.
 */
export type Branch = BranchFields & {
  /** The branch's identifier: the last part of the address of its log. */
  readonly _id: string;
  /** The identifier if the name is malformed. */
  readonly name: string;
  /**
   * null: not built out yet. `DEPLOY_APPLICATION_SUCCESS`: deployed (section 3). Other values are not specified and are
   * shown as they are. Undefined: malformed, so that nothing is known.
   */
  readonly status: string | null | undefined;
  /**
   * The paths of fields that are not as the specification describes: `status`, `customDomains[1].domain`. Of the items
   * of a list, the first with each malformed field; so there are at most as many as fields are read.
   */
  readonly malformed: readonly string[];
  /** Fields that the decoder doesn't read, with secrets wrapped. */
  readonly unknownFields: Readonly<Record<string, unknown>>;
  /**
   * The whole record as received, with secrets wrapped, including any field whose name or value looks like a secret.
   */
  readonly record: Readonly<Record<string, unknown>>;
};

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
  /** The answer's words about pods that cannot be read now. */
  readonly unreadable?: Unreadable | undefined;
  /**
   * What the next answer has, if it is asked for at once: lines that are `there` already, or those that are `awaited`:
   * it comes when they do. Left out: the pace decides when to ask.
   */
  readonly next?: 'there' | 'awaited' | undefined;
};

/** A successful answer: its value, plus what the poll inspector, the clock and the pace need. */
export type Answer<T> = {
  readonly value: T;
  /** HTTP status, 200 to 299. */
  readonly status: number;
  /** Milliseconds from the request to the last byte, by a monotonic clock. */
  readonly durationMs: number;
  /** Decoded bytes of the body. */
  readonly bodyBytes: number;
  /**
   * The service's clock from its `date` header, in milliseconds since 1970; undefined if the header is missing or
   * unreadable.
   */
  readonly serviceTimeMs: number | undefined;
  /**
   * Items that were skipped because they did not match the interface, each with its path: `[3].name: expected a string,
   * got null`.
   */
  readonly skipped: readonly string[];
  /** Records of a listing that have no id, so that nothing can be asked for; they are among the skipped. */
  readonly withoutId?: number | undefined;
  /**
   * A notice about the token that was sent: its file is gone and the token came from memory, or its group may read the
   * file.
   */
  readonly notice?: string;
};
