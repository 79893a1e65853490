import {parse} from 'node:path';

/**
 * Returns whether a host, in the form of `URL.hostname`, never leaves this machine: `localhost`, `*.localhost` (RFC
 * 6761), 127.0.0.0/8, `[::1]`, with or without brackets.
 */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(hostname) ||
  hostname === '[::1]' ||
  hostname === '::1';

/** Where a service is reached. */
type ServiceAddress = {
  /** The address that requests go to; for a Unix socket, a path on any host. */
  readonly url: URL;
  readonly socketPath: string | undefined;
  /** In words: host and port, or the path of the socket. */
  readonly host: string;
  /** A short name: the host, or that of the socket. */
  readonly name: string;
};

/** Reads `https://host/path` or `unix:/path/of.sock:/path`. Returns undefined for anything else. */
export const readServiceAddress = (text: string): ServiceAddress | undefined => {
  const [, socketPath, path = '/'] = /^unix:(\/[^:]+)(?::(\/.*)?)?$/.exec(text) ?? [];
  const url = URL.parse(socketPath === undefined ? text : `http://localhost${path}`);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return undefined;
  }
  return socketPath === undefined
    ? {url, socketPath, host: url.host, name: url.hostname}
    : {url, socketPath, host: socketPath, name: parse(socketPath).name};
};

/** Does the same for an address that was checked. */
export const serviceAddress = (baseUrl: string): ServiceAddress => {
  const address = readServiceAddress(baseUrl);
  if (address === undefined) {
    throw new Error(`not the address of a service: ${baseUrl}`);
  }
  return address;
};
