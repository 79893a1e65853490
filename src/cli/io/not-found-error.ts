/** The site has no branch of the given id or name: exit code 4. The message is a sentence for the user. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}
