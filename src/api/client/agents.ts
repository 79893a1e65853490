import {X509Certificate} from 'node:crypto';
import {type AgentOptions, Agent as HttpAgent} from 'node:http';
import {Agent as HttpsAgent} from 'node:https';
import {getCACertificates} from 'node:tls';
import {errorCodeOf} from '#base/error-code.ts';
import {isLoopbackHost, serviceAddress} from '#base/service-address.ts';
import {findSocketDistrust} from '#base/system/find-distrust.ts';
import {PathError} from '#base/system/open-regular.ts';
import {ownUserId, readTrusted} from '#base/system/trusted-files.ts';
import {ApiError} from './api-error.ts';

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

/**
 * Refuses a socket that others could have put in place of the service's: it would be sent the token. One that is not
 * there fails as a connection does. Throws an `ApiError` of kind `setting`.
 */
export const checkSocket = async (path: string): Promise<void> => {
  const distrust = await findSocketDistrust(path, ownUserId()).catch((error: unknown) =>
    error instanceof PathError ? error.message : undefined,
  );
  if (distrust !== undefined) {
    throw new ApiError('setting', `the socket ${path} ${distrust}`);
  }
};

/** The keep-alive connections of one client. */
export type Agents = {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
  /** `host:port` of the proxy that requests may go through, without its credentials. */
  readonly proxy: string | undefined;
  close(): void;
};

/**
 * Creates the agents. Node's agents understand `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`; got alone ignores them. A
 * `proxy` setting overrides the environment and NO_PROXY. A proxy from the environment is not used for a loopback
 * service: the proxy could not reach it, and would see the token.
 * Throws an `ApiError` of kind `setting` for a bad `caFile`.
 */
export const createAgents = async (options: {
  readonly baseUrl: string;
  readonly proxy: string | undefined;
  readonly caFile: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}): Promise<Agents> => {
  const {socketPath, url} = serviceAddress(options.baseUrl);
  const {hostname, protocol} = url;
  const proxyEnv = socketPath === undefined ? chooseProxyEnv(hostname, options.proxy, options.env) : undefined;
  const common: AgentOptions = {keepAlive: true, ...(proxyEnv ? {proxyEnv} : {}), ...(socketPath && {socketPath})};
  const http = new HttpAgent(common);
  const ca = options.caFile ? {ca: await readCaCertificates(options.caFile)} : {};
  // Said, because otherwise NODE_TLS_REJECT_UNAUTHORIZED decides.
  const https = new HttpsAgent({...common, ...ca, rejectUnauthorized: true});
  const used =
    protocol === 'https:'
      ? proxyEnv?.https_proxy || proxyEnv?.HTTPS_PROXY
      : proxyEnv?.http_proxy || proxyEnv?.HTTP_PROXY;
  return {
    http,
    https,
    proxy: used ? describeProxy(used) : undefined,
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
};

const chooseProxyEnv = (
  hostname: string,
  proxy: string | undefined,
  env: NodeJS.ProcessEnv,
): Record<string, string | undefined> | undefined => {
  if (proxy) {
    return {HTTP_PROXY: proxy, HTTPS_PROXY: proxy};
  }
  if (isLoopbackHost(hostname)) {
    return undefined;
  }
  const {http_proxy, https_proxy, no_proxy, HTTP_PROXY, HTTPS_PROXY, NO_PROXY} = env;
  return {http_proxy, https_proxy, no_proxy, HTTP_PROXY, HTTPS_PROXY, NO_PROXY};
};

/**
 * Formats a proxy's host and port for messages. The full address often contains a name and a password, which are never
 * shown.
 */
const describeProxy = (proxy: string): string => {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`);
  if (!url?.hostname) {
    return 'an address that cannot be read';
  }
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
};
