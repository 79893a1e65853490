/** Why a TLS connection failed, as far as people can do something about it. */
export type TlsFault =
  | 'expired'
  | 'notYetValid'
  | 'selfSigned'
  | 'unknownAuthority'
  | 'otherHost'
  | 'refusedClient'
  | 'other';

/** Node's codes (`tls`, OpenSSL's X509_V_ERR without its prefix). */
const faults: Readonly<Record<string, TlsFault>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'notYetValid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'selfSigned',
  SELF_SIGNED_CERT_IN_CHAIN: 'selfSigned',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknownAuthority',
  CERT_SIGNATURE_FAILURE: 'unknownAuthority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'otherHost',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'refusedClient',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED': 'refusedClient',
  'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE': 'refusedClient',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN': 'refusedClient',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'refusedClient',
};

const otherCodes =
  /^(?:CERT_|CRL_|UNABLE_TO_|ERR_SSL_|ERR_TLS_|EPROTO$|ERR_OSSL_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_|PATH_LENGTH)/;

/** Returns the fault that an error's code stands for; undefined if it is not one of TLS. */
export const tlsFaultOf = (code: string): TlsFault | undefined =>
  faults[code] ?? (otherCodes.test(code) ? 'other' : undefined);

/** Returns `ENOENT` or another error code; undefined if there is none. */
export const findErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Returns an error code for messages; never any of a file's content. */
export const errorCodeOf = (error: unknown): string => findErrorCode(error) ?? 'unknown error';
