import {errorCodeOf} from '#base/error-code.ts';
import {Secret} from '#base/secret.ts';
import {quoteForShell} from '#base/system/find-distrust.ts';
import {runBounded} from '#base/system/programs.ts';
import {PathError} from '#base/system/resolve-path.ts';
import {readIfChanged} from '#base/system/trusted-files.ts';
import {ApiError} from './api-error.ts';

/** Node refuses requests whose headers exceed 16 KiB in total, and JWTs of more than a few KiB are rare. */
const tokenBytesMax = 12 * 1024;

const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

// RFC 6750, section 2.1: ALPHA, DIGIT, "-", ".", "_", "~", "+", "/", "=". Any other character could end the header or
// start another one.
const isTokenByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x2d && byte <= 0x2f) ||
  byte === 0x5f ||
  byte === 0x7e ||
  byte === 0x2b ||
  byte === 0x3d;

const classOf = (byte: number): string => {
  if (byte === 0x0a || byte === 0x0d) {
    return 'a line break';
  }
  if (isBlank(byte)) {
    return 'a blank';
  }
  if (byte < 0x20 || byte === 0x7f) {
    return 'a control character';
  }
  if (byte >= 0x80) {
    return 'a character outside ASCII';
  }
  return byte === 0x22 || byte === 0x27 || byte === 0x60 ? 'a quotation mark' : 'a punctuation character';
};

/**
 * Parses a token from the bytes of a file, a command's output or a variable, which `origin` names in errors. Strips a
 * byte order mark and surrounding white space; returns undefined if nothing is left.
 * Throws an `ApiError` of kind `token` that names the offset and the class of an invalid character, but never the
 * character itself, which may be part of the secret.
 */
export const parseTokenText = (bytes: Uint8Array, origin: string): Secret | undefined => {
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let end = bytes.length;
  while (start < end && isBlank(bytes[start] ?? 0)) {
    start += 1;
  }
  while (end > start && isBlank(bytes[end - 1] ?? 0)) {
    end -= 1;
  }
  if (start === end) {
    return undefined;
  }
  if (end - start > tokenBytesMax) {
    throw new ApiError('token', `${origin} holds more than ${tokenBytesMax} bytes, too many for a token`);
  }
  for (let offset = start; offset < end; offset += 1) {
    const byte = bytes[offset] ?? 0;
    if (!isTokenByte(byte)) {
      throw new ApiError(
        'token',
        `${origin} has ${classOf(byte)} at byte ${offset}: it must hold the token alone, without "Bearer" or quotes`,
      );
    }
  }
  return new Secret(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1'));
};

/** White space around a token is allowed, but not more than this. */
const fileBytesMax = tokenBytesMax + 4 * 1024;

/** The result of checking the token file. `unchanged` saves rereading it before every request. */
type TokenFileCheck =
  | {readonly kind: 'missing'; readonly reason: string}
  | {readonly kind: 'unchanged'; readonly warning: string | undefined}
  | {
      readonly kind: 'read';
      readonly secret: Secret;
      /** Identifies this content: device, inode, size and change time. */
      readonly stamp: string;
      readonly warning: string | undefined;
    };

/**
 * Opens the token file, checks the opened file (not the path, which may point to another file by then), and reads it
 * unless its stamp is still `knownStamp`. A missing or empty file is not an error here, because the caller may have a
 * last good token.
 * Throws an `ApiError` of kind `token` if the file must not be trusted or holds no valid token.
 */
export const checkTokenFile = async (
  path: string,
  knownStamp: string | undefined,
  userId: number | undefined,
): Promise<TokenFileCheck> => {
  try {
    const {stamp, stat, bytes} = await readIfChanged(path, knownStamp, fileBytesMax, {userId, isSecret: true});
    // On a system without user ids (Windows) the file's mode means nothing either.
    const isOpenToGroup = userId !== undefined && (stat.mode & 0o040n) !== 0n;
    const warning = isOpenToGroup
      ? `the token file ${path} is open to its group: run chmod 600 ${quoteForShell(path)}`
      : undefined;
    if (bytes === undefined) {
      return {kind: 'unchanged', warning};
    }
    const secret = parseTokenText(bytes, `the token file ${path}`);
    return secret
      ? {kind: 'read', secret, stamp, warning}
      : {kind: 'missing', reason: `the token file ${path} is empty`};
  } catch (error) {
    if (error instanceof ApiError) {
      throw error;
    }
    const code = errorCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return {kind: 'missing', reason: `the token file ${path} is missing`};
    }
    throw new ApiError(
      'token',
      error instanceof PathError
        ? `the token file ${path} ${error.message}`
        : `cannot read the token file ${path} (${code})`,
    );
  }
};

/** Polls must not wait longer for a command that is waiting for a person or an unreachable network. */
export const tokenCommandTimeoutMs = 10_000;

/** White space around a token is allowed, but not more than this. */
const outputBytesMax = tokenBytesMax + 1024;

/** Names a command in messages: by its program only, because its arguments may hold secrets. */
export const describeTokenCommand = (command: readonly string[]): string => `token_command (${command[0] ?? 'empty'})`;

/**
 * Runs a command, without a shell, and reads the token from its standard output. Discards its standard error, which may
 * hold anything. The child's environment is `env` without BRANCHLOG_TOKEN.
 * Throws an `ApiError` of kind `token`, or of kind `setting` for a program that others may write to.
 */
export const runTokenCommand = async (
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<Secret> => {
  const origin = describeTokenCommand(command);
  const outcome = await runBounded({command, kind: 'command', env, timeoutMs, outputBytesMax});
  const fail = (words: string, kind: 'token' | 'setting' = 'token'): never => {
    throw new ApiError(kind, `${origin} ${words}`);
  };
  switch (outcome.kind) {
    case 'done':
      return (
        parseTokenText(outcome.output, `the output of ${origin}`) ?? fail('printed nothing: run it by hand to see why')
      );
    case 'refused':
      return fail(outcome.words, 'setting');
    case 'notStarted':
      return fail(`cannot be started (${errorCodeOf(outcome.error)})`);
    case 'tooLong':
    case 'stopped':
      return fail(`did not end within ${timeoutMs / 1000} s and was stopped`);
    case 'tooMuch':
      return fail('printed far more than a token and was stopped');
    case 'failed':
      return fail(`${outcome.words}: run it by hand to see why`);
    default:
      return outcome satisfies never;
  }
};
