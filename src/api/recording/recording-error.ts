/** Thrown if a recording can't be created or replayed: exit code 2. The message is a sentence for the user. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}
