import type {Secret} from '#base/secret.ts';
import {ownUserId} from '#base/system/trusted-files.ts';
import type {TokenSource} from '#config/settings/settings.ts';
import {ApiError} from './api-error.ts';
import {
  checkTokenFile,
  describeTokenCommand,
  parseTokenText,
  runTokenCommand,
  tokenCommandTimeoutMs,
} from './token-sources.ts';

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
