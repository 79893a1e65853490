import {isLoopbackHost, readServiceAddress} from '#base/service-address.ts';
import {ConfigError} from './table-reader.ts';

/**
 * Checks a value that is sent unchanged in a header: visible ASCII, with blanks only inside (RFC 9110, section 5.5).
 * Returns it trimmed; throws a `ConfigError` that names the offset of the first character that cannot be sent.
 */
export const checkHeaderValue = (value: string, where: string): string => {
  const trimmed = value.trim();
  if (trimmed === '') {
    throw new ConfigError(`${where}: expected a value, got blanks`);
  }
  const offset = trimmed.search(/[^\x20-\x7e]/);
  if (offset !== -1) {
    throw new ConfigError(
      `${where}: the character at offset ${offset} cannot be sent in a header, only visible ASCII can`,
    );
  }
  return trimmed;
};

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
    throw new ConfigError(`${where}: an address must not contain a name and password; the token authorises`);
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
    warnings.push(`${where}: the token goes over plain http to ${url.host}, where anyone on the way can read it`);
  }
  return {baseUrl, name, warnings};
};
