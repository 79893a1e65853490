import type {FieldReader} from './field-reader.ts';

const readResponse = (read: FieldReader) => ({
  id: read.text('id'),
  status: read.text('status'),
  /** May be empty; secrets wrapped. */
  payload: read.table('payload'),
  task: read.text('task'),
});

const readActivity = (read: FieldReader, response: Readonly<Partial<ReturnType<typeof readResponse>>> | undefined) => ({
  _id: read.text('_id'),
  /** `UPDATE_CONFIG_APPLICATION` occurs; the full list is not specified. */
  action: read.text('action'),
  /** User identifier. */
  createdBy: read.text('createdBy'),
  workspace: read.text('workspace'),
  /** Site identifier. */
  project: read.text('project'),
  /** Branch identifier. */
  application: read.text('application'),
  environment: read.text('environment'),
  /** `SUCCESS` occurs; the full list is not specified. */
  status: read.text('status'),
  createdAt: read.text('createdAt'),
  updatedAt: read.text('updatedAt'),
  lastResponse: response,
  taskName: read.textOrNull('taskName'),
});

/** Section 2.3; every field may be missing. */
type LastActivity = Readonly<Partial<ReturnType<typeof readActivity>>>;

/** Decodes `lastActivity` with its `lastResponse` (section 2.3). */
export const decodeLastActivity = (read: FieldReader | undefined): LastActivity | undefined => {
  const response = read?.within('lastResponse');
  return read && readActivity(read, response && readResponse(response));
};
