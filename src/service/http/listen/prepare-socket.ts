import {lstat, unlink} from 'node:fs/promises';
import {connect} from 'node:net';
import {describeError, hasErrorCode} from '#service/errors/describe-fault.ts';
import {ServiceError} from '#service/errors/service-error.ts';

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
 * it, or if the path leads to something else.
 */
export const prepareSocket = async (path: string): Promise<void> => {
  try {
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
      throw new ServiceError(`${path} exists and is not a socket: remove it, or choose another path in listen.`);
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
