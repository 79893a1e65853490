import {BlockList, isIP} from 'node:net';
import {isLoopbackHost} from '#base/service-address.ts';
import {ServiceError} from '#service/backend/errors.ts';

/**
 * Returns the proxy for `server`, undefined for none: `configured`, else that of the environment unless NO_PROXY
 * excepts the server. Loopback never goes through a proxy of the environment, which could not reach it.
 * Throws a `ServiceError` that names `title` or the variable.
 */
export const chooseProxy = (
  server: URL,
  configured: {readonly title: string; readonly address: string | undefined} | undefined,
  env: NodeJS.ProcessEnv,
): URL | undefined => {
  if (configured?.address !== undefined) {
    return parseProxy(configured.address, configured.title);
  }
  const own = server.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  const names = [...own, 'ALL_PROXY', 'all_proxy'];
  const name = names.find(each => env[each]);
  const address = name && env[name];
  if (!name || !address || isExcepted(server, env.NO_PROXY || env.no_proxy || '')) {
    return undefined;
  }
  return parseProxy(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`, name);
};

const parseProxy = (address: string, title: string): URL => {
  const url = URL.parse(address);
  if (!url?.hostname || !['http:', 'https:', 'socks5:', 'socks5h:'].includes(url.protocol)) {
    throw new ServiceError(
      `${title}: must be the address of an HTTP or SOCKS5 proxy, such as http://proxy.example:3128 or socks5://proxy.example:1080.`,
    );
  }
  if (!isEncoded(url.username) || !isEncoded(url.password)) {
    throw new ServiceError(
      `${title}: the name or the password has a "%" that begins no escape sequence: write it as %25.`,
    );
  }
  return url;
};

const isEncoded = (part: string): boolean => {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
};

const isExcepted = (server: URL, exceptions: string): boolean => {
  const host = server.hostname.replace(/^\[|\]$/g, '');
  if (isLoopbackHost(host)) {
    return true;
  }
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  return exceptions
    .split(',')
    .map(each => each.trim().toLowerCase())
    .some(each => each !== '' && (each === '*' || matches(each, host, port)));
};

/** `exception`: a host or a domain with all in it, an address or a range of addresses; perhaps with a port. */
const matches = (exception: string, host: string, port: string): boolean => {
  const [, address = '', length] = /^([0-9a-f.:]+)\/(\d+)$/.exec(exception) ?? [];
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(address) > 0) {
    const range = new BlockList();
    range.addSubnet(address, Math.min(Number(length), family === 'ipv6' ? 128 : 32), family);
    return isIP(host) === isIP(address) && range.check(host, family);
  }
  const [, name = exception, excepted = port] = /^(.*[^:]):(\d+)$/.exec(isIP(exception) ? '' : exception) ?? [];
  const domain = name.replace(/^\*?\.|^\[|\]$/g, '');
  return excepted === port && (host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`)));
};
