import {once} from 'node:events';
import {connect} from 'node:net';
import {join} from 'node:path';
import {isLoopbackHost} from '#base/service-address.ts';
import {CallError, hasErrorCode, ServiceError} from '#service/backend/errors.ts';
import {createHttp1Link} from '#service/link/http1-link.ts';
import {formatTarget, type LinkAnswer, type LinkQuery, readBody, SilentLinkError} from '#service/link/link.ts';
import {readJsonText, textField} from '#service/link/object-fields.ts';

export type EngineKind = 'docker' | 'podman';

/** Where an engine listens. */
type EngineAddress = {
  readonly kind: EngineKind;
  /** For messages: `Docker` or `Podman`. */
  readonly name: string;
  /** For messages: the path of the socket, or host and port. */
  readonly place: string;
  readonly target: {readonly path: string} | {readonly host: string; readonly port: number};
};

const engines = {
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

/** A list of 1,000 containers with long labels has some MB. */
const jsonBytesMax = 32 * 1024 * 1024;
/** An engine on this machine answers in milliseconds, and within seconds when the disk is busy. */
const answerMs = 20_000;
/** An engine that does not answer a small request this long has come to a stop, milliseconds. */
const pingMs = 15_000;
/** Its answer costs an engine nothing; Podman takes seconds for its version. */
const pingPath = '/_ping';

/** Creates the client of an engine. It connects when first asked. */
export const createEngineClient = (engine: EngineAddress) => {
  const title = `${engine.name} at ${engine.place}`;
  const closing = new AbortController();
  const dial = async () => {
    const socket = connect(engine.target);
    try {
      await once(socket, 'connect', {signal: AbortSignal.any([closing.signal, AbortSignal.timeout(answerMs)])});
    } catch (error) {
      socket.destroy();
      throw error;
    }
    // It may break before anybody uses it; without a listener the process would end.
    socket.on('error', () => undefined);
    return socket;
  };
  const link = createHttp1Link(new URL('http://docker'), dial, {pingMs, pingPath});

  const send = async (path: string, query: LinkQuery, isEndless: boolean, signal: AbortSignal): Promise<LinkAnswer> => {
    const headers = {'user-agent': 'branchlog'};
    const answer = await link
      .send({path: formatTarget(path, query), headers, isEndless}, signal)
      .catch((error: unknown) => {
        signal.throwIfAborted();
        throw describeEngineFailure(error, engine);
      });
    if (answer.status !== 200) {
      throw await readRefusal(answer, path, signal);
    }
    return answer;
  };

  const readRefusal = async (answer: LinkAnswer, path: string, signal: AbortSignal): Promise<CallError> => {
    const body = await readBody(answer, jsonBytesMax, signal).catch(() => Buffer.alloc(0));
    const said = textField(readJsonText(body.toString('utf8')), 'message');
    const words = said === undefined ? '' : `: ${said.trim().slice(0, 300)}`;
    return new CallError('status', `${title} answered GET ${path} with ${answer.status}${words}.`, {
      status: answer.status,
      serverMessage: said,
    });
  };

  const inTime = async <Value>(path: string, run: (signal: AbortSignal) => Promise<Value>): Promise<Value> => {
    const expiry = AbortSignal.timeout(answerMs);
    try {
      return await run(AbortSignal.any([closing.signal, expiry]));
    } catch (error) {
      throw expiry.aborted
        ? new CallError('timeout', `${title} did not answer GET ${path} within ${answerMs / 1000} s.`)
        : error;
    }
  };

  const getJson = (path: string, query: LinkQuery = {}): Promise<unknown> =>
    inTime(path, async signal => {
      const answer = await send(path, query, false, signal);
      const body = await readBody(answer, jsonBytesMax, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw new CallError('connection', `The response from ${title} to GET ${path} broke off or is too long.`, {
          cause: error,
        });
      });
      const json = readJsonText(body.toString('utf8'));
      if (json === undefined) {
        throw new CallError('body', notApi(title), {status: 200});
      }
      return json;
    });

  let isPodman = false;
  let version: Promise<string> | undefined;
  /** Each engine understands the version that it names as its own. */
  const prefix = (): Promise<string> => {
    version ??= inTime(pingPath, async signal => {
      const answer = await send(pingPath, {}, false, signal);
      answer.body.resume();
      isPodman = answer.headers['libpod-api-version'] !== undefined;
      const api = String(answer.headers['api-version']);
      if (!/^\d+\.\d+$/.test(api)) {
        throw new CallError('body', notApi(title), {status: 200});
      }
      return `/v${api}`;
    });
    version.catch(() => {
      version = undefined;
    });
    return version;
  };

  return {
    /** For messages: `Docker at /var/run/docker.sock`. */
    title,
    /** It is Podman, whatever it was asked for as; known once it has answered anything. */
    isPodman: (): boolean => isPodman,
    get: async (path: string, query?: LinkQuery): Promise<unknown> => getJson(`${await prefix()}${path}`, query),
    /** Returns an answer without an end, of status 200. */
    open: async (path: string, query: LinkQuery, signal: AbortSignal): Promise<LinkAnswer> =>
      send(`${await prefix()}${path}`, query, true, AbortSignal.any([closing.signal, signal])),
    close: (): void => {
      closing.abort(new CallError('connection', `The connection to ${title} was closed.`));
      link.close();
    },
  };
};

/** Reads from the API of an engine, GET only. Calls throw a `CallError`, or the reason of the signal. */
export type EngineClient = ReturnType<typeof createEngineClient>;

const notApi = (title: string): string => `${title} is not a Docker or Podman API: check the address.`;

const starts = {docker: 'systemctl start docker', podman: 'systemctl --user start podman.socket'} as const;

/** Returns the error for a request that got no answer, with what to do. */
const describeEngineFailure = (error: unknown, {kind, name, place}: EngineAddress): CallError => {
  if (error instanceof CallError) {
    return error;
  }
  const start = `start it, as in ${starts[kind]}, or name its socket in ${engines[kind].variable}`;
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
    return new CallError('auth', `No permission to use ${place}: ${remedy}.`, {cause: error});
  }
  if (hasErrorCode(error, 'ECONNREFUSED')) {
    return new CallError('connection', `Nothing is listening at ${place}. Is ${name} running? If not, ${start}.`, {
      cause: error,
    });
  }
  const what = error instanceof SilentLinkError ? 'no longer answers' : 'closed the connection';
  return new CallError('connection', `${name} at ${place} ${what}: is it being restarted?`, {cause: error});
};
