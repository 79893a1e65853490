import type {BranchFields} from '../client/branch-fields.ts';

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
