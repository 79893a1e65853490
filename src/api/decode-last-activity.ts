import type {LastActivity} from './branch.ts';
import type {FieldProblems} from './field-problems.ts';
import {createFieldReader, type Table} from './field-reader.ts';

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
