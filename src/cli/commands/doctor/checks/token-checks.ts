import {ApiError} from '#api/client/api-error.ts';
import type {TokenProvider} from '#api/client/token.ts';
import {quoteForShell} from '#base/system/find-distrust.ts';
import {exitCodeOf} from '#cli/io/exit-codes.ts';
import {formatElapsed} from '#cli/io/format.ts';
import {explainFailure, type Finding, found} from './finding.ts';

/** Warn if the token expires sooner than this: it may not last for a long session. */
const soonMs = 10 * 60_000;

/**
 * Checks the token: whether it can be read, who else can read its file, and when it expires by this machine's clock.
 */
export const checkToken = async (token: TokenProvider, nowMs: number): Promise<readonly Finding[]> => {
  try {
    const {notice} = await token.read();
    const place = token.describe();
    const findings: Finding[] =
      notice === undefined
        ? [found.ok('token', `read from ${place}`)]
        : [found.warn('token', notice, `run chmod 600 ${quoteForShell(place)}`)];
    return [...findings, checkExpiry(token.expiresAtMs(), nowMs, place)];
  } catch (error) {
    return [explainFailure('token', error)];
  }
};

const checkExpiry = (expiresAtMs: number | undefined, nowMs: number, place: string): Finding => {
  if (expiresAtMs === undefined) {
    return found.ok('expiry', 'the token has no readable expiry; it is sent as it is');
  }
  const leftMs = expiresAtMs - nowMs;
  const time = `${new Date(expiresAtMs).toISOString().slice(0, 19)}Z`;
  if (leftMs <= 0) {
    return found.fail(
      'expiry',
      `the token expired at ${time}`,
      `replace the one of ${place}`,
      exitCodeOf(new ApiError('token', 'expired')),
    );
  }
  return leftMs < soonMs
    ? found.warn('expiry', `in ${formatElapsed(leftMs)}, at ${time}`, `replace the one of ${place} soon`)
    : found.ok('expiry', `in ${formatElapsed(leftMs)}, at ${time}`);
};
