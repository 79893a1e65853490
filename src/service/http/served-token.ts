import {closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';
import {ServiceError} from '../errors/service-error.ts';

/** 256 bits: impossible to guess, and short enough for one line. */
const tokenBytes = 32;
/** A JWT with many claims has a few kB; a larger file is not a token file. */
const tokenFileBytesMax = 64 * 1024;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const makeTokenFile = (path: string, randomBytes: (size: number) => Buffer): string => {
  mkdirSync(dirname(path), {recursive: true, mode: 0o700});
  const token = randomBytes(tokenBytes).toString('base64url');
  // O_EXCL: do not overwrite a file that someone else creates at this moment.
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeSync(fd, `${token}\n`);
  } finally {
    closeSync(fd);
  }
  return token;
};

const readTokenFile = (path: string): string => {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    // Check the open file, not its path, which could change in between.
    const stat = fstatSync(fd);
    if (!stat.isFile()) {
      throw new ServiceError(`The token file ${path} is not a regular file: name another one in token_file.`);
    }
    if ((stat.mode & 0o007) !== 0) {
      throw new ServiceError(`The token file ${path} is open to every user of this machine: run chmod 600 ${path}`);
    }
    if (stat.size > tokenFileBytesMax) {
      throw new ServiceError(`The token file ${path} is too large for a token: name another one in token_file.`);
    }
    const token = readFileSync(fd, 'utf8')
      .replace(/^\uFEFF/, '')
      .trim();
    if (token === '') {
      throw new ServiceError(`The token file ${path} is empty: remove it to get a new token at the next start.`);
    }
    // The characters of RFC 6750, section 2.1: an authorization header cannot carry others.
    const bad = token.search(/[^A-Za-z0-9._~+/=-]/);
    if (bad !== -1) {
      throw new ServiceError(
        `The token file ${path} has an invalid character at offset ${bad}: only A-Z a-z 0-9 and ._~+/=- are allowed.`,
      );
    }
    return token;
  } finally {
    closeSync(fd);
  }
};

/**
 * Returns the token that clients of the service must send. Creates a missing file with a random token, mode 0600.
 * Throws a ServiceError if the file cannot be read, has no token, or is accessible to others; never names the token.
 */
export const readOrMakeToken = (
  path: string,
  randomBytes: (size: number) => Buffer,
): {readonly token: string; readonly made: boolean} => {
  try {
    return {token: readTokenFile(path), made: false};
  } catch (error) {
    if (error instanceof ServiceError) {
      throw error;
    }
    if (!hasCode(error, 'ENOENT')) {
      throw new ServiceError(`The token file ${path} cannot be read: ${reasonOf(error)}.`, {cause: error});
    }
  }
  try {
    return {token: makeTokenFile(path, randomBytes), made: true};
  } catch (error) {
    throw new ServiceError(`The token file ${path} cannot be created: ${reasonOf(error)}.`, {cause: error});
  }
};
