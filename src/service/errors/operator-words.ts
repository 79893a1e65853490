/** An error that knows more than its message tells. */
export type ErrorWithDetail = {
  /** A sentence for whoever runs this, but not for readers of what is served. Safe to print. */
  readonly operatorDetail: string | undefined;
};

const hasDetail = (error: unknown): error is ErrorWithDetail =>
  error instanceof Error && 'operatorDetail' in error && typeof error.operatorDetail === 'string';

const findDetail = (error: unknown): string | undefined =>
  hasDetail(error) ? error.operatorDetail : error instanceof Error ? findDetail(error.cause) : undefined;

/** Returns an error's message as the operator may read it, with the detail of what caused it. */
export const operatorWords = (error: Error): string => {
  const detail = findDetail(error);
  return detail === undefined || error.message.includes(detail) ? error.message : `${error.message} ${detail}`;
};
