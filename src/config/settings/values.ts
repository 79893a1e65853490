import {isLoopbackHost, readServiceAddress} from '#base/service-address.ts';
import {ConfigError} from '../values/config-error.ts';

/**
 * Checks the service's address and removes trailing slashes. `where` names the setting in the message of a
 * `ConfigError`. Warns about what may be intended: another version segment, a token over plain http.
 */
export const parseBaseUrl = (
  text: string,
  where: string,
): {readonly baseUrl: string; readonly name: string; readonly warnings: readonly string[]} => {
  const address = readServiceAddress(text.trim());
  const example = 'like https://api.example.com/dev-v1';
  if (!address) {
    throw new ConfigError(`${where}: expected an address ${example}, or unix:/run/branchlog/serve.sock:/dev-v1`);
  }
  const {url, socketPath, name} = address;
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError(`${where}: an address holds no name and password; the token is what authorises`);
  }
  if (/[?#]/.test(text)) {
    throw new ConfigError(`${where}: an address ${example} has no part after "?" or "#"`);
  }
  const origin = socketPath === undefined ? url.origin : `unix:${socketPath}:`;
  const baseUrl = `${origin}${url.pathname.replace(/\/+$/, '')}`;
  const warnings: string[] = [];
  if (!baseUrl.endsWith('/dev-v1')) {
    warnings.push(`${where}: the address ${baseUrl} does not end in the version segment dev-v1`);
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    warnings.push(`${where}: the token goes over plain http to ${url.host}, where anybody on the way can read it`);
  }
  return {baseUrl, name, warnings};
};
