import type {Secret} from '../secret.ts';

/** The end of the year 9999: no countdown could show a later claim. */
const expiryMsMax = 253_402_300_799_000;

/**
 * Returns when a JWT expires, in milliseconds since 1970, from its `exp` claim (RFC 7519, section 4.1.4). The token is
 * decoded but never verified: the time is used only for the countdown and for error messages. Returns undefined if the
 * claims cannot be read.
 */
export const readTokenExpiryMs = (token: Secret): number | undefined => {
  const claims = token.reveal().split('.')[1];
  if (claims === undefined) {
    return undefined;
  }
  try {
    const decoded: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    if (typeof decoded !== 'object' || decoded === null || !('exp' in decoded) || typeof decoded.exp !== 'number') {
      return undefined;
    }
    const expiryMs = decoded.exp * 1000;
    return expiryMs > 0 && expiryMs <= expiryMsMax ? expiryMs : undefined;
  } catch {
    // The parser's message quotes its input, which is part of the token, so none of it is passed on.
    return undefined;
  }
};
