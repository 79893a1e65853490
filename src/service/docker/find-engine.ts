import {join} from 'node:path';
import {isLoopbackHost} from '#base/service-address.ts';
import {ServiceError} from '#service/backend/errors.ts';

export type EngineKind = 'docker' | 'podman';

/** Where an engine listens. */
export type EngineAddress = {
  readonly kind: EngineKind;
  /** For messages: `Docker` or `Podman`. */
  readonly name: string;
  /** For messages: the path of the socket, or host and port. */
  readonly place: string;
  readonly target: {readonly path: string} | {readonly host: string; readonly port: number};
};

export const engines = {
  docker: {name: 'Docker', variable: 'DOCKER_HOST', portDefault: 2375},
  podman: {name: 'Podman', variable: 'CONTAINER_HOST', portDefault: 8080},
} as const;

const usualPath = (kind: EngineKind, {XDG_RUNTIME_DIR: folder}: NodeJS.ProcessEnv, isRoot: boolean): string => {
  if (kind === 'docker') {
    return '/var/run/docker.sock';
  }
  return folder && !isRoot ? join(folder, 'podman/podman.sock') : '/run/podman/podman.sock';
};

/** Finds the engine as its own command line does. Throws a `ServiceError` for an address that is not supported. */
export const findEngine = (kind: EngineKind, env: NodeJS.ProcessEnv, isRoot: boolean): EngineAddress => {
  const {name, variable, portDefault} = engines[kind];
  const given = env[variable];
  if (!given) {
    const path = usualPath(kind, env, isRoot);
    return {kind, name, place: path, target: {path}};
  }
  const url = URL.parse(given);
  if (url?.protocol === 'unix:' && url.pathname !== '') {
    const path = decodeURIComponent(url.pathname);
    return {kind, name, place: path, target: {path}};
  }
  if (url?.protocol === 'tcp:' && isLoopbackHost(url.hostname) && !env.DOCKER_TLS_VERIFY) {
    const port = Number(url.port || portDefault);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return {kind, name, place: `${url.hostname}:${port}`, target: {host, port}};
  }
  // Not quoted: an address may hold a password.
  throw new ServiceError(
    `${variable} names an engine that branchlog does not open: it opens unix:///PATH, and tcp:// without TLS on this machine. For an engine elsewhere, forward its socket, as in ssh -L /tmp/${kind}.sock:${usualPath(kind, {}, true)} HOST, and set ${variable}=unix:///tmp/${kind}.sock.`,
  );
};
