import {X509Certificate} from 'node:crypto';
import {getCACertificates} from 'node:tls';
import {errorCodeOf} from '#base/error-code.ts';
import {PathError} from '#base/system/resolve-path.ts';
import {readTrusted} from '#base/system/trusted-files.ts';
import {ApiError} from '../client/api-error.ts';

/** Bundles of whole operating systems are smaller than 1 MB. */
const caFileBytesMax = 8 * 1024 * 1024;

/**
 * Returns the authorities that are trusted to sign the service's certificate: Node's own (including
 * NODE_EXTRA_CA_CERTS) and those of `ca_file`.
 * Throws an `ApiError` of kind `setting` if the file cannot be read or trusted, or holds no certificate.
 */
export const readCaCertificates = async (caFile: string): Promise<string[]> => {
  const pem = await readPem(caFile);
  const own = pem.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? [];
  if (own.length === 0) {
    throw new ApiError('setting', `ca_file ${caFile} holds no certificate in PEM (-----BEGIN CERTIFICATE-----)`);
  }
  for (const [index, certificate] of own.entries()) {
    try {
      new X509Certificate(certificate);
    } catch {
      throw new ApiError('setting', `certificate number ${index + 1} of ca_file ${caFile} cannot be read`);
    }
  }
  return [...getCACertificates('default'), ...own];
};

const readPem = async (caFile: string): Promise<string> => {
  try {
    return (await readTrusted(caFile, caFileBytesMax)).toString('latin1');
  } catch (error) {
    throw new ApiError(
      'setting',
      error instanceof PathError
        ? `ca_file ${caFile} ${error.message}`
        : `cannot read ca_file ${caFile} (${errorCodeOf(error)})`,
    );
  }
};
