import type {FieldProblems} from './field-problems.ts';
import {createFieldReader, type Table} from './field-reader.ts';

/** Section 2.3. */
type LastActivity = {
  readonly _id?: string | undefined;
  /** `UPDATE_CONFIG_APPLICATION` occurs; the full list is not specified. */
  readonly action?: string | undefined;
  /** User identifier. */
  readonly createdBy?: string | undefined;
  readonly workspace?: string | undefined;
  /** Site identifier. */
  readonly project?: string | undefined;
  /** Branch identifier. */
  readonly application?: string | undefined;
  readonly environment?: string | undefined;
  /** `SUCCESS` occurs; the full list is not specified. */
  readonly status?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  readonly lastResponse?: LastResponse | undefined;
  /** null occurs. */
  readonly taskName?: string | null | undefined;
};

type LastResponse = {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  /** May be empty; secrets wrapped. */
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  readonly task?: string | undefined;
};

/** Decodes `lastActivity` with its `lastResponse` (section 2.3) out of a masked record. */
export const decodeLastActivity = (
  table: Table | undefined,
  path: string,
  problems: FieldProblems,
): LastActivity | undefined => {
  if (!table) {
    return undefined;
  }
  const read = createFieldReader(table, path, problems);
  const response = read.table('lastResponse');
  const readResponse = response && createFieldReader(response, read.pathOf('lastResponse'), problems);
  return {
    _id: read.text('_id'),
    action: read.text('action'),
    createdBy: read.text('createdBy'),
    workspace: read.text('workspace'),
    project: read.text('project'),
    application: read.text('application'),
    environment: read.text('environment'),
    status: read.text('status'),
    createdAt: read.text('createdAt'),
    updatedAt: read.text('updatedAt'),
    lastResponse: readResponse && {
      id: readResponse.text('id'),
      status: readResponse.text('status'),
      payload: readResponse.table('payload'),
      task: readResponse.text('task'),
    },
    taskName: read.textOrNull('taskName'),
  };
};
