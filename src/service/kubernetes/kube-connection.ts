import type {SecureContext} from 'node:tls';
import type {Secret} from '#base/secret.ts';
import type {Impersonation} from './transport/impersonation.ts';

/** What it takes to talk to one API server. */
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
