import {CallError} from '../errors/call-error.ts';
import {hasErrorCode} from '../errors/describe-fault.ts';
import {SilentLinkError} from '../link/link.ts';
import type {EngineAddress} from './find-engine.ts';

const starts = {docker: 'systemctl start docker', podman: 'systemctl --user start podman.socket'} as const;
const variables = {docker: 'DOCKER_HOST', podman: 'CONTAINER_HOST'} as const;

/** Returns the error for a request that got no answer, with what to do. */
export const describeEngineFailure = (error: unknown, {kind, name, place}: EngineAddress): CallError => {
  if (error instanceof CallError) {
    return error;
  }
  const start = `start it, as in ${starts[kind]}, or name its socket in ${variables[kind]}`;
  if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) {
    return new CallError('connection', `There is no socket ${place}. Is ${name} running? If not, ${start}.`, {
      cause: error,
    });
  }
  if (hasErrorCode(error, 'EACCES', 'EPERM')) {
    const remedy =
      kind === 'docker'
        ? 'add the user to the group docker (usermod -aG docker USER) and log in again, or run branchlog as root'
        : 'use the socket of this user (systemctl --user start podman.socket), or run branchlog as root';
    return new CallError('auth', `This user must not use ${place}: ${remedy}.`, {cause: error});
  }
  if (hasErrorCode(error, 'ECONNREFUSED')) {
    return new CallError('connection', `Nobody listens at ${place}. Is ${name} running? If not, ${start}.`, {
      cause: error,
    });
  }
  const what = error instanceof SilentLinkError ? 'does not answer any more' : 'closed the connection';
  return new CallError('connection', `${name} at ${place} ${what}: is it being restarted?`, {cause: error});
};
