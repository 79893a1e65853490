import {ConfigError} from './config-error.ts';

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
