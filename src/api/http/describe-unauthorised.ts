import {ApiError} from '../api-error.ts';
import type {TokenProvider} from '../token/token.ts';

/**
 * The error for a 401 that reading the token again did not mend: expired where its `exp` lies behind the service's clock,
 * else rejected. `detail` is a word about the token's source, as its provider gave it.
 */
export const describeUnauthorised = ({
  token,
  host,
  nowMs,
  detail,
}: {
  readonly token: TokenProvider;
  readonly host: string;
  /** The service's clock where it sent one. */
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
