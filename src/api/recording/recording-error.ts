/** A recording that can't be made, or can't be played: exit code 2. The message is a sentence for the user. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}
