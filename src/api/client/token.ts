import {errorCodeOf} from '#base/error-code.ts';
import {Secret} from '#base/secret.ts';
import {quoteForShell} from '#base/system/find-distrust.ts';
import {PathError} from '#base/system/open-regular.ts';
import {runBounded} from '#base/system/programs.ts';
import {ownUserId, readIfChanged} from '#base/system/trusted-files.ts';
import type {TokenSource} from '#config/settings/settings.ts';
import {ApiError} from './api-error.ts';

export type TokenReading = {
  readonly secret: Secret;
  /** Increases by one whenever the token changes, so that a caller can tell whether rereading helped. */
  readonly version: number;
  /** A notice for the status line: the file is gone and this token came from memory, or the group may read it. */
  readonly notice?: string;
};

/** Provides the token of every request, always as a `Secret`. */
export type TokenProvider = {
  /**
   * Returns the token to send now. Called before every request: a file is checked each time and reread if it has
   * changed; a command runs once, and again when its token is about to expire; `fresh` rereads everything.
   * Throws an `ApiError` of kind `token`.
   */
  read(options?: {readonly fresh?: boolean}): Promise<TokenReading>;
  /** Returns where the token comes from, for an error message: a path, a command's program or a variable's name. */
  describe(): string;
  /**
   * Returns a function that looks for a token newer than the last one read, or one that was read since, or any after a
   * failed reading. Looks only at a file: a command may ask a person for something. Never rejects.
   */
  watch(): () => Promise<boolean>;
  /** Returns `exp` of the last JWT, in milliseconds since 1970; undefined if none has been read or it is unreadable. */
  expiresAtMs(): number | undefined;
};

export type TokenDeps = {
  /** Holds the variable of an environment source; a command gets it without the token. */
  readonly env: NodeJS.ProcessEnv;
  /** Wall clock, milliseconds since 1970. */
  readonly nowMs: () => number;
  /** The user whose files are trusted, besides root's; undefined on a system without user ids. */
  readonly userId?: number | undefined;
  readonly commandTimeoutMs?: number;
};

/**
 * A command runs again this long before its token expires, so that no request carries a token that has just expired.
 */
const renewalLeadMs = 30_000;

/** A command that keeps printing an old token runs at most this often, instead of once a poll. */
const renewalPauseMs = 30_000;

/** Creates a provider for a token file, a command that prints the token, or an environment variable. */
export const createTokenProvider = (
  source: TokenSource,
  {env, nowMs, userId = ownUserId(), commandTimeoutMs = tokenCommandTimeoutMs}: TokenDeps = {
    env: process.env,
    nowMs: Date.now,
  },
): TokenProvider => {
  let last: {secret: Secret; version: number; expiresAtMs: number | undefined} | undefined;
  let stamp: string | undefined;
  let commandRunAtMs: number | undefined;
  let commandNotice: string | undefined;
  let isReadable = true;
  let running: {readonly fresh: boolean; readonly reading: Promise<TokenReading>} | undefined;

  const keep = (secret: Secret, notice?: string): TokenReading => {
    if (last?.secret.reveal() !== secret.reveal()) {
      last = {secret, version: (last?.version ?? 0) + 1, expiresAtMs: readTokenExpiryMs(secret)};
    }
    return {secret, version: last.version, ...(notice === undefined ? {} : {notice})};
  };

  const readFile = async (path: string, fresh: boolean): Promise<TokenReading> => {
    const check = await checkTokenFile(path, fresh ? undefined : stamp, userId);
    if (check.kind === 'read') {
      stamp = check.stamp;
      return keep(check.secret, check.warning);
    }
    if (check.kind === 'unchanged' && last) {
      return keep(last.secret, check.warning);
    }
    const reason = check.kind === 'missing' ? check.reason : `the token file ${path} was not read`;
    if (!last) {
      throw new ApiError('token', `${reason}: put a token into it`);
    }
    return keep(last.secret, `${reason}, the last token is used`);
  };

  const readCommand = async (command: readonly string[], fresh: boolean): Promise<TokenReading> => {
    const isSpent = last?.expiresAtMs !== undefined && last.expiresAtMs - renewalLeadMs <= nowMs();
    const isPausing = commandRunAtMs !== undefined && Math.abs(nowMs() - commandRunAtMs) < renewalPauseMs;
    if (last && !fresh && (!isSpent || isPausing)) {
      return keep(last.secret, commandNotice);
    }
    commandRunAtMs = nowMs();
    try {
      const secret = await runTokenCommand(command, env, commandTimeoutMs);
      commandNotice = undefined;
      return keep(secret);
    } catch (error) {
      if (!last || !(error instanceof ApiError)) {
        throw error;
      }
      commandNotice = `${error.message}; the last token is used`;
      return keep(last.secret, commandNotice);
    }
  };

  const readVariable = (variable: string): TokenReading => {
    const secret = parseTokenText(Buffer.from(env[variable] ?? '', 'utf8'), `the variable ${variable}`);
    if (!secret) {
      throw new ApiError('token', `the variable ${variable} holds no token: set it, or name a token file`);
    }
    return keep(secret);
  };

  const readSource = async (fresh: boolean): Promise<TokenReading> => {
    switch (source.kind) {
      case 'file':
        return readFile(source.path, fresh);
      case 'command':
        return readCommand(source.command, fresh);
      case 'environment':
        return readVariable(source.variable);
    }
  };

  return {
    read: ({fresh = false} = {}) => {
      // Simultaneous requests share one reading: a command that asks for a second factor must not ask twice.
      if (running && (running.fresh || !fresh)) {
        return running.reading;
      }
      const reading = readSource(fresh)
        .then(
          read => {
            isReadable = true;
            return read;
          },
          (error: unknown) => {
            isReadable = false;
            throw error;
          },
        )
        .finally(() => {
          if (running?.reading === reading) {
            running = undefined;
          }
        });
      running = {fresh, reading};
      return reading;
    },
    describe: () => {
      switch (source.kind) {
        case 'file':
          return source.path;
        case 'command':
          return describeTokenCommand(source.command);
        case 'environment':
          return `the variable ${source.variable}`;
      }
    },
    watch: () => {
      const before = last?.version;
      const wasReadable = isReadable;
      return async () => {
        if (last?.version !== before || source.kind !== 'file') {
          return last?.version !== before;
        }
        const check = await checkTokenFile(source.path, stamp, userId).catch(() => undefined);
        const isNew = check?.kind === 'read' && check.secret.reveal() !== last?.secret.reveal();
        return isNew || (!wasReadable && (check?.kind === 'read' || check?.kind === 'unchanged'));
      };
    },
    expiresAtMs: () => last?.expiresAtMs,
  };
};

/** The end of the year 9999: no countdown could show a later claim. */
const expiryMsMax = 253_402_300_799_000;

/**
 * Returns when a JWT expires, in milliseconds since 1970, from its `exp` claim (RFC 7519, section 4.1.4). The token is
 * decoded but never verified: the time is used only for the countdown and for error messages. Returns undefined if the
 * claims cannot be read.
 */
const readTokenExpiryMs = (token: Secret): number | undefined => {
  const claims = token.reveal().split('.')[1];
  if (claims === undefined) {
    return undefined;
  }
  try {
    const decoded: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    if (typeof decoded !== 'object' || decoded === null || !('exp' in decoded) || typeof decoded.exp !== 'number') {
      return undefined;
    }
    const expiryMs = decoded.exp * 1000;
    return expiryMs > 0 && expiryMs <= expiryMsMax ? expiryMs : undefined;
  } catch {
    // The parser's message quotes its input, which is part of the token, so none of it is passed on.
    return undefined;
  }
};

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
const checkTokenFile = async (
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
const tokenCommandTimeoutMs = 10_000;

/** White space around a token is allowed, but not more than this. */
const outputBytesMax = tokenBytesMax + 1024;

/** Names a command in messages: by its program only, because its arguments may hold secrets. */
const describeTokenCommand = (command: readonly string[]): string => `token_command (${command[0] ?? 'empty'})`;

/**
 * Runs a command, without a shell, and reads the token from its standard output. Discards its standard error, which may
 * hold anything. The child's environment is `env` without BRANCHLOG_TOKEN.
 * Throws an `ApiError` of kind `token`, or of kind `setting` for a program that others may write to.
 */
const runTokenCommand = async (
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
