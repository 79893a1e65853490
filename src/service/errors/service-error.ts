/** A failure that the operator can act on: its message is one whole sentence, shown as it is, without a stack trace. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
}
