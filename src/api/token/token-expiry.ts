import type {Secret} from '../secret.ts';

/** No date after the year 9999: a claim beyond is none that a countdown could show. */
const expiryMsMax = 253_402_300_799_000;

/**
 * When a JWT expires, milliseconds since 1970, from its `exp` claim (RFC 7519, section 4.1.4). Decoded and never
 * verified: it serves the countdown and the words of an error. Undefined where the claims cannot be read.
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
    // The parser's own message quotes what it read, which is a piece of the token: nothing of it goes on.
    return undefined;
  }
};
