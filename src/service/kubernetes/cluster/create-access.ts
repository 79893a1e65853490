import {createPrivateKey, X509Certificate} from 'node:crypto';
import {createSecureContext, getCACertificates, type SecureContext} from 'node:tls';
import {Secret} from '#base/secret.ts';
import {KubeError} from '../kube-client.ts';
import type {Access, ClusterAccess} from '../kube-connection.ts';

export type KubeCredentials = {
  /** The certificates to trust; undefined: Node's and the system's. */
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
};

export type CredentialSource = {
  /** Names where they are from, for messages about what is wrong with one of them. */
  readonly titles: {readonly [Part in keyof KubeCredentials]?: string | undefined};
  /** `isForced`: those that it gave last have been refused. Throws a `KubeError` of kind `auth`. */
  read(isForced: boolean): Promise<KubeCredentials>;
  close?(): Promise<void>;
};

/** Creates the access to a cluster. */
export const createAccess = (name: string, source: CredentialSource): ClusterAccess => {
  let known:
    | {readonly texts: KubeCredentials; readonly access: Access; readonly endsMs: number | undefined}
    | undefined;
  let renewing: Promise<Access> | undefined;

  const load = async (isForced: boolean): Promise<Access> => {
    const texts = await source.read(isForced);
    const {titles} = source;
    if (known === undefined || !isSame(known.texts, texts, ['ca', 'certificate', 'key'])) {
      const secureContext = buildContext(texts, titles);
      known = {texts, access: buildAccess(texts, titles, secureContext), endsMs: readEndMs(texts)};
    } else if (!isSame(known.texts, texts, ['token'])) {
      known = {...known, texts, access: buildAccess(texts, titles, known.access.secureContext)};
    }
    if (known.endsMs !== undefined && known.endsMs < Date.now()) {
      const end = new Date(known.endsMs).toISOString();
      throw new KubeError(
        'auth',
        `${titles.certificate}: the certificate expired at ${end}: renew it, or log in again.`,
      );
    }
    return known.access;
  };

  return {
    name,
    read: refused => {
      if (refused === undefined || refused !== known?.access) {
        return load(false);
      }
      renewing ??= load(true).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
    close: async () => await source.close?.(),
  };
};

type Titles = CredentialSource['titles'];

const isSame = (one: KubeCredentials, other: KubeCredentials, parts: readonly (keyof KubeCredentials)[]): boolean =>
  parts.every(part => one[part] === other[part]);

const buildAccess = ({token}: KubeCredentials, titles: Titles, secureContext: SecureContext): Access => {
  const bare = token?.trim();
  // The characters of RFC 6750, section 2.1: a header can carry few others.
  if (bare !== undefined && !/^[A-Za-z0-9._~+/=:-]+$/.test(bare)) {
    const fault = bare === '' ? 'is empty' : 'has characters that a token cannot have';
    throw new KubeError('auth', `${titles.token}: the token ${fault}: log in again, or write the token alone.`);
  }
  return {authorization: bare === undefined ? undefined : new Secret(`Bearer ${bare}`), secureContext};
};

const buildContext = ({ca, certificate, key}: KubeCredentials, titles: Titles): SecureContext => {
  const authorities = ca === undefined ? undefined : splitCertificates(ca);
  if (authorities && (authorities.length === 0 || !authorities.every(isCertificate))) {
    throw new KubeError('auth', `${titles.ca}: must be certificates in PEM (-----BEGIN CERTIFICATE-----).`);
  }
  if (certificate !== undefined && !splitCertificates(certificate).some(isCertificate)) {
    throw new KubeError('auth', `${titles.certificate}: must be a certificate in PEM (-----BEGIN CERTIFICATE-----).`);
  }
  if (key !== undefined && !isPrivateKey(key)) {
    throw new KubeError('auth', `${titles.key}: must be a private key in PEM that is not encrypted.`);
  }
  try {
    return createSecureContext({
      ca: authorities ?? [...getCACertificates('default'), ...getCACertificates('system')],
      ...(certificate === undefined ? {} : {cert: certificate}),
      ...(key === undefined ? {} : {key}),
    });
  } catch {
    throw new KubeError('auth', `${titles.certificate}: the certificate and the private key do not belong together.`);
  }
};

const splitCertificates = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? [];

const isCertificate = (pem: string): boolean => succeeds(() => new X509Certificate(pem));

const isPrivateKey = (pem: string): boolean => succeeds(() => createPrivateKey(pem));

const succeeds = (run: () => unknown): boolean => {
  try {
    run();
    return true;
  } catch {
    return false;
  }
};

const readEndMs = ({certificate}: KubeCredentials): number | undefined => {
  const [first] = splitCertificates(certificate ?? '');
  return first === undefined ? undefined : new X509Certificate(first).validToDate.getTime();
};
