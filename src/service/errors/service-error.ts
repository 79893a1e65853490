/** A failure that the operator can fix: its message is one whole sentence, shown unchanged, without a stack trace. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
}
