/** The site has no branch with the given id or name: exit code 4. The message is shown to the user. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}
