import {createPrivateKey, X509Certificate} from 'node:crypto';
import {stat} from 'node:fs/promises';
import {errorCodeOf} from '#base/error-code.ts';
import {ownUserId, readTrusted} from '#base/system/trusted-files.ts';
import {createWarnOnce, describeError, describeUnread, SettingError} from '#service/backend/errors.ts';

/** A certificate with its chain takes some kB. */
const fileBytesMax = 1024 * 1024;
/** Programs that renew certificates replace them days before they end; clients should have the new one soon. */
const checkIntervalMs = 2_000;
/** Whoever renews by hand needs some days. */
const warnMs = 14 * 24 * 60 * 60_000;

export type TlsPaths = {readonly cert: string; readonly key: string};

/** A certificate and its key, PEM. */
export type TlsPair = {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** The first host that it is for; undefined if it names none, or only a pattern. */
  readonly host: string | undefined;
  /** Milliseconds since 1970. */
  readonly validUntilMs: number;
};

const readPem = async (what: string, path: string, isSecret: boolean): Promise<Buffer> => {
  try {
    return await readTrusted(path, fileBytesMax, {userId: ownUserId(), isSecret});
  } catch (error) {
    throw new SettingError(`The TLS ${what} ${describeUnread(path, error)}`, {cause: error});
  }
};

/** Reads a certificate and its key. Throws a `SettingError` that names the file and never shows any of the key. */
export const readTlsPair = async (paths: TlsPaths): Promise<TlsPair> => {
  const cert = await readPem('certificate', paths.cert, false);
  const key = await readPem('key', paths.key, true);
  const parse = <Parsed>(sentence: string, read: () => Parsed): Parsed => {
    try {
      return read();
    } catch (error) {
      throw new SettingError(sentence, {cause: error});
    }
  };
  const certificate = parse(
    `The TLS certificate ${paths.cert} is not a certificate in PEM form.`,
    () => new X509Certificate(cert),
  );
  const privateKey = parse(`The TLS key ${paths.key} is not a private key in PEM form, without a passphrase.`, () =>
    createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new SettingError(`The TLS key ${paths.key} does not belong to the certificate ${paths.cert}.`);
  }
  const host = /\bDNS:([^*,"]+)/.exec(certificate.subjectAltName ?? '')?.[1];
  return {cert, key, host, validUntilMs: certificate.validToDate.getTime()};
};

/** Says that a certificate has ended or ends soon; undefined otherwise. */
const describeEnd = (path: string, {validUntilMs}: TlsPair, nowMs: number): string | undefined => {
  const until = new Date(validUntilMs).toISOString();
  return validUntilMs <= nowMs
    ? `The TLS certificate ${path} expired at ${until}: clients refuse it.`
    : validUntilMs - nowMs < warnMs
      ? `The TLS certificate ${path} expires at ${until}: renew it.`
      : undefined;
};

/**
 * Reads a certificate and its key, and reads them again when the files change: `take` gets the new pair. A pair that
 * cannot be used is warned of and tried again; the one before stays in effect. Throws a `SettingError` for the first.
 */
export const openServedTls = async (
  startPaths: TlsPaths,
  {take, warn, nowMs}: {take: (pair: TlsPair) => void; warn: (message: string) => void; nowMs: () => number},
) => {
  let paths = startPaths;
  let seen: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const once = createWarnOnce(warn);

  /** Another text whenever one of the files was written or replaced, also by way of a link. */
  const readPair = async ({cert, key}: TlsPaths): Promise<string> =>
    JSON.stringify(
      await Promise.all(
        [cert, key].map(path =>
          stat(path).then(
            ({dev, ino, size, mtimeMs, ctimeMs}) => [dev, ino, size, mtimeMs, ctimeMs],
            (error: unknown) => errorCodeOf(error),
          ),
        ),
      ),
    );

  const use = (read: TlsPair, found: string): void => {
    pair = read;
    seen = found;
    once.forget();
    const end = describeEnd(paths.cert, read, nowMs());
    if (end !== undefined) {
      once.warn(end);
    }
  };

  const check = async (): Promise<void> => {
    const found = await readPair(paths);
    if (found === seen) {
      return;
    }
    try {
      const read = await readTlsPair(paths);
      use(read, found);
      take(read);
    } catch (error) {
      // Half a renewal, perhaps: the other file may be written in a moment.
      once.warn(`The TLS certificate was not reloaded; the previous one stays in effect: ${describeError(error)}`);
    }
  };

  const schedule = (): void => {
    timer = setTimeout(() => void check().finally(() => timer && schedule()), checkIntervalMs).unref();
  };

  const found = await readPair(paths);
  let pair = await readTlsPair(paths);
  use(pair, found);
  schedule();
  return {
    pair: (): TlsPair => pair,
    /** Reads these files, and returns what puts them in effect. Throws a `ServiceError`. */
    prepare: async (next: TlsPaths): Promise<() => void> => {
      const found = await readPair(next);
      const read = await readTlsPair(next);
      return () => {
        paths = next;
        use(read, found);
        take(read);
      };
    },
    /** Stops looking at the files. */
    stop: (): void => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
};
