import {ApiError} from '../api-error.ts';
import type {TokenProvider} from '../token/token.ts';

/**
 * Returns the error for a 401 that rereading the token did not fix: "expired" if its `exp` is before the service's
 * clock, otherwise "rejected". `detail` is a notice from the token's provider about its source.
 */
export const describeUnauthorised = ({
  token,
  host,
  nowMs,
  detail,
}: {
  readonly token: TokenProvider;
  readonly host: string;
  /** The service's clock if it sent one. */
  readonly nowMs: number;
  readonly detail: string | undefined;
}): ApiError => {
  const expiresAtMs = token.expiresAtMs();
  const what =
    expiresAtMs !== undefined && expiresAtMs <= nowMs
      ? `token expired at ${new Date(expiresAtMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`
      : 'token rejected';
  const more = detail === undefined ? '' : ` (${detail})`;
  return new ApiError('unauthorised', `${what} (401 by ${host}): replace the one in ${token.describe()}${more}`, {
    status: 401,
  });
};
