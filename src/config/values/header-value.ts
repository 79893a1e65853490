import {ConfigError} from './config-error.ts';

/**
 * A value that goes into a header as it is: visible ASCII, blanks only inside (RFC 9110, section 5.5). Answers it
 * trimmed; throws a `ConfigError` that names the offset of the first character that cannot be sent.
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
