import {isLoopbackHost} from '../../base/loopback.ts';
import type {TableReader} from '../values/table-reader.ts';
import type {ResolvePath} from './kube-site.ts';

/** Where a service listens. The path of a Unix socket is absolute. */
type Listen =
  /** Port 0: any free port. */
  {readonly host: string; readonly port: number} | {readonly socketPath: string};

export type ListenSettings = Listen & {
  /** Paths of the certificate with its chain and of its key, PEM; undefined: no TLS. */
  readonly tls: {readonly cert: string; readonly key: string} | undefined;
};

/** The keys that this file reads. */
export const listenKeys = ['listen', 'tls_cert', 'tls_key', 'insecure'];

/** The kernel's limit is 108 bytes with a final zero. */
const socketPathBytesMax = 107;

/**
 * Reads where the service listens. Throws a `ConfigError` for an address that others can reach without TLS, unless
 * `insecure` says that this is meant.
 */
export const readListen = (root: TableReader, resolvePath: ResolvePath): ListenSettings => {
  const text = root.text('listen')?.trim() ?? '127.0.0.1:8787';
  const tls = readTlsPaths(root, resolvePath);
  const isInsecure = root.flag('insecure') ?? false;
  const socket = /^unix:(.+)$/.exec(text)?.[1];
  if (socket !== undefined) {
    const socketPath = resolvePath(socket, root, 'listen');
    if (tls) {
      root.fail('tls_cert', 'a Unix socket has no TLS: leave out tls_cert and tls_key, or listen on a host and a port');
    }
    return Buffer.byteLength(socketPath) > socketPathBytesMax
      ? root.fail('listen', `the path of a Unix socket has at most ${socketPathBytesMax} bytes`)
      : {socketPath, tls};
  }
  const address =
    parseHostAndPort(text) ??
    root.fail(
      'listen',
      'expected a host and a port, like "127.0.0.1:8787" or "[::1]:8787", or a Unix socket, like "unix:/run/branchlog/serve.sock"',
    );
  if (!tls && !isInsecure && !isLoopbackHost(address.host)) {
    root.fail(
      'listen',
      `without TLS, whoever can listen in on the network gets the token and the logs: give tls_cert and tls_key; or listen on 127.0.0.1 or a Unix socket, behind a proxy that has TLS; or, if the way to ${address.host} is protected otherwise, say insecure = true`,
    );
  }
  return {...address, tls};
};

const readTlsPaths = (root: TableReader, resolvePath: ResolvePath): ListenSettings['tls'] => {
  const [cert, key] = [root.text('tls_cert'), root.text('tls_key')];
  if (cert === undefined && key === undefined) {
    return undefined;
  }
  return {
    cert: resolvePath(cert ?? root.fail('tls_key', 'goes with tls_cert: give the certificate, too'), root, 'tls_cert'),
    key: resolvePath(key ?? root.fail('tls_cert', 'goes with tls_key: give the key, too'), root, 'tls_key'),
  };
};

/**
 * Parses `127.0.0.1:8787`, `localhost:0`, `[::1]:8787`. Returns undefined if the text is not valid. A missing host does
 * not mean "everywhere", because a typing error would then publish logs.
 */
const parseHostAndPort = (text: string): {readonly host: string; readonly port: number} | undefined => {
  const match = /^(?:\[([0-9a-fA-F:.%a-zA-Z0-9]+)\]|([^:[\]\s/@]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host === undefined || port > 65_535 ? undefined : {host, port};
};
