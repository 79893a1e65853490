import {lstat, realpath, unlink} from 'node:fs/promises';
import {connect} from 'node:net';
import {dirname} from 'node:path';
import {errorCodeOf} from '#base/error-code.ts';
import {isLoopbackHost} from '#base/service-address.ts';
import {findFolderDistrust} from '#base/system/find-distrust.ts';
import {ownUserId} from '#base/system/trusted-files.ts';
import {describeError, hasErrorCode, ServiceError, SettingError} from '#service/backend/errors.ts';

/** Its user and group may connect. */
export const socketMode = 0o660;

/** Returns whether a process listens on a socket. */
const isAlive = (path: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .once('error', error => (hasErrorCode(error, 'ECONNREFUSED', 'ENOENT') ? resolve(false) : reject(error)));
  });

/**
 * Makes room for a Unix socket: removes one that a process left behind. Throws a `ServiceError` if a process listens on
 * it, and a `SettingError` if the path leads to something else, or if others could put their own socket there, and so
 * be sent the tokens of clients.
 */
export const prepareSocket = async (path: string): Promise<void> => {
  try {
    const distrust = await findFolderDistrust(await realpath(dirname(path)), ownUserId());
    if (distrust !== undefined) {
      throw new SettingError(`The socket ${path} would lie in ${distrust}.`);
    }
    const found = await lstat(path).catch((error: unknown) => {
      if (hasErrorCode(error, 'ENOENT')) {
        return undefined;
      }
      throw error;
    });
    if (!found) {
      return;
    }
    if (!found.isSocket()) {
      throw new SettingError(`${path} exists and is not a socket: remove it, or choose another path in listen.`);
    }
    if (await isAlive(path)) {
      throw new ServiceError(
        `Another process listens on ${path}: stop it, or choose another path for the socket in listen.`,
      );
    }
    await unlink(path);
  } catch (error) {
    throw error instanceof ServiceError
      ? error
      : new ServiceError(`The socket ${path} cannot be used: ${describeError(error)}.`, {cause: error});
  }
};

/** Where a server listens. Port 0: any free port. */
export type ListenAddress = {readonly host: string; readonly port: number} | {readonly socketPath: string};

/**
 * Returns the address at which this machine reaches a listening server; a server that listens everywhere is reached on
 * the loopback, and one with TLS by the name in its certificate. A Unix socket has only its path.
 */
export const formatOrigin = (address: ListenAddress, tls?: {readonly host: string | undefined} | undefined): string => {
  if ('socketPath' in address) {
    return `unix:${address.socketPath}`;
  }
  const {port} = address;
  const host = tls?.host ?? address.host;
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http${tls ? 's' : ''}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
};

/** Checks whether only this machine reaches the address. */
export const isLocal = (address: ListenAddress): boolean => 'socketPath' in address || isLoopbackHost(address.host);

/** Explains why a server cannot listen, and what to do. */
export const describeListenError = (error: unknown, address: ListenAddress): string => {
  const words = error instanceof Error ? error.message : String(error);
  if ('socketPath' in address) {
    return `The service cannot listen on ${address.socketPath}: ${words}.`;
  }
  const {host, port} = address;
  switch (errorCodeOf(error)) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use: stop the program that listens there, or choose another port in listen.`;
    case 'EACCES':
      return `Port ${port} on ${host} needs privileges that this user does not have: choose one above 1023 in listen.`;
    case 'EADDRNOTAVAIL':
      return `${host} is not an address of this machine: choose one that is in listen.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The name ${host} cannot be resolved: choose an address of this machine in listen.`;
    default:
      return `The service cannot listen on ${host}, port ${port}: ${words}.`;
  }
};
