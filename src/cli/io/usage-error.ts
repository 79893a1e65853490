/** The command line or the configuration is invalid: exit code 2. The message is shown to the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
