import type {SecureContext} from 'node:tls';
import type {Secret} from '#base/secret.ts';
import type {LinkRequest} from '#service/link/link.ts';

/** Waits for `promise`, or throws the signal's reason as soon as it is aborted. */
export const abortable = async <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const {promise: aborted, reject} = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, {once: true});
  if (signal.aborted) {
    abort();
  }
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/** Whom to act as, by the rights of whoever is logged in. */
export type Impersonation = {
  readonly user: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  /** Further attributes of the user, by name. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
};

/** Bytes that a header's name may have (RFC 9110, section 5.6.2), except `%`, which escapes the others. */
const escapedInName = /[^!#$&'*+.^_`|~0-9A-Za-z-]/;

const escapeName = (name: string): string =>
  [...Buffer.from(name)]
    .map(byte => {
      const character = String.fromCharCode(byte);
      return escapedInName.test(character) ? `%${byte.toString(16).padStart(2, '0')}` : character;
    })
    .join('');

/** Returns the headers for the API server, one line for each value. Source: client-go, `round_trippers.go`. */
export const impersonationHeaders = ({user, uid, groups, extra}: Impersonation): LinkRequest['headers'] => ({
  'impersonate-user': user,
  ...(uid === undefined ? {} : {'impersonate-uid': uid}),
  ...(groups.length === 0 ? {} : {'impersonate-group': groups}),
  ...Object.fromEntries(
    Object.entries(extra).map(([name, values]) => [`impersonate-extra-${escapeName(name)}`, values]),
  ),
});

/** The address and credentials of one API server. */
export type KubeConnection = {
  /** Scheme, host and port, and a path if every path begins with it. Holds no credentials. */
  readonly server: URL;
  readonly access: ClusterAccess;
  /** The name that the server's certificate must have; undefined: the host of `server`. */
  readonly serverName: string | undefined;
  /** Whoever answers is believed to be the cluster, whatever its certificate says. */
  readonly isUnverified: boolean;
  /** Undefined: nobody but the user who is logged in. */
  readonly impersonation: Impersonation | undefined;
  /** The HTTP or SOCKS5 proxy to go through. May hold credentials. */
  readonly proxy: URL | undefined;
};

/** Provides the credentials. */
export interface ClusterAccess {
  /** Names them in messages, such as `user "dev" of /home/dev/.kube/config`. */
  readonly name: string;
  /**
   * Returns what to send now, the same object until something changes. Called before every request. `refused` has just
   * been answered with 401: everything is read again, unless that has happened already.
   * Throws a `KubeError` of kind `auth`.
   */
  read(refused?: Access): Promise<Access>;
  /** Ends what was started to get credentials. */
  close(): Promise<void>;
}

export type Access = {
  /** The `authorization` header; undefined if there is none. */
  readonly authorization: Secret | undefined;
  /** The same object until a certificate changes; then new connections are opened. */
  readonly secureContext: SecureContext;
};
