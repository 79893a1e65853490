import {mkdir, open} from 'node:fs/promises';
import {dirname} from 'node:path';
import {PathError} from '#base/system/open-regular.ts';
import {ownUserId, readTrusted} from '#base/system/trusted-files.ts';
import {hasErrorCode, ServiceError, SettingError} from '#service/backend/errors.ts';

/** 256 bits: impossible to guess, and short enough for one line. */
const tokenBytes = 32;
/** Fewer characters can be guessed: these are 96 bits if they are random. */
const tokenCharactersMin = 16;
/** A JWT with many claims has a few kB; a larger file is not a token file. */
const tokenFileBytesMax = 64 * 1024;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const makeTokenFile = async (path: string, randomBytes: (size: number) => Buffer): Promise<string> => {
  await mkdir(dirname(path), {recursive: true, mode: 0o700});
  const token = randomBytes(tokenBytes).toString('base64url');
  // Exclusive: do not overwrite a file that someone else creates at this moment.
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${token}\n`);
  } finally {
    await file.close();
  }
  return token;
};

const readTokenFile = async (path: string): Promise<string> => {
  const bytes = await readTrusted(path, tokenFileBytesMax, {userId: ownUserId(), isSecret: true});
  const token = bytes
    .toString()
    .replace(/^\uFEFF/, '')
    .trim();
  if (token === '') {
    throw new SettingError(`The token file ${path} is empty: remove it to get a new token at the next start.`);
  }
  // The characters of RFC 6750, section 2.1: an authorization header cannot carry others.
  const bad = token.search(/[^A-Za-z0-9._~+/=-]/);
  if (bad !== -1) {
    throw new SettingError(
      `The token file ${path} has an invalid character at offset ${bad}: only A-Z a-z 0-9 and ._~+/=- are allowed.`,
    );
  }
  if (token.length < tokenCharactersMin) {
    throw new SettingError(
      `The token file ${path} has a token of fewer than ${tokenCharactersMin} characters, which can be guessed: remove the file to get a random one at the next start.`,
    );
  }
  return token;
};

/**
 * Returns the token that clients of the service must send. Creates a missing file with a random token, mode 0600.
 * Throws a ServiceError if the file cannot be read, has no token, or is accessible to others; never names the token.
 */
export const readOrMakeToken = async (
  path: string,
  randomBytes: (size: number) => Buffer,
): Promise<{readonly token: string; readonly made: boolean}> => {
  try {
    return {token: await readTokenFile(path), made: false};
  } catch (error) {
    if (error instanceof SettingError) {
      throw error;
    }
    if (error instanceof PathError) {
      throw new SettingError(`The token file ${path} ${error.message}`, {cause: error});
    }
    if (!hasErrorCode(error, 'ENOENT')) {
      throw new SettingError(`The token file ${path} cannot be read: ${reasonOf(error)}.`, {cause: error});
    }
  }
  try {
    return {token: await makeTokenFile(path, randomBytes), made: true};
  } catch (error) {
    // It was not found, and yet its name is taken.
    if (hasErrorCode(error, 'EEXIST')) {
      throw new SettingError(`The token file ${path} is a link to nothing: remove it, or create what it links to.`, {
        cause: error,
      });
    }
    throw new ServiceError(`The token file ${path} cannot be created: ${reasonOf(error)}.`, {cause: error});
  }
};
