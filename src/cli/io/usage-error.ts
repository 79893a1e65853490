/** The command line or the configuration can't be used as it is: exit code 2. The message is a sentence for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
