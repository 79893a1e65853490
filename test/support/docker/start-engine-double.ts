import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {createShortFolder} from '../temp-folder.ts';

/**
 * A double of the API of an engine, written from the documents of Docker's Engine API (v1.43) and the behaviour of
 * json-file, never from our client. The command line of Docker judges it.
 */

type Stream = 'stdout' | 'stderr';

/** What json-file keeps: a line, or a piece of one, with its newline if it has one. */
type Message = {readonly stream: Stream; readonly nanos: bigint; readonly text: string};

type ContainerState = {
  status: 'created' | 'running' | 'exited' | 'paused' | 'restarting';
  exitCode: number;
  isOomKilled: boolean;
  startedNanos: bigint;
  finishedNanos: bigint;
  health: string | undefined;
};

export type DoubleContainer = {
  readonly id: string;
  /** Writes a line, or with `isPiece` a text that no newline ends. */
  write(text: string, options?: {stream?: Stream; nanos?: bigint; isPiece?: boolean}): void;
  start(): void;
  die(code: number, options?: {isOomKilled?: boolean}): void;
  remove(): void;
  setHealth(health: 'healthy' | 'unhealthy'): void;
  /** Lets go of all but the newest messages, as json-file does with max-size. */
  rotate(keep: number): void;
  /** Sends the newest messages again to all who follow, as Docker does when it rotates a log while it writes. */
  repeat(count: number): void;
  /** How many streams of the log are open. */
  followers(): number;
};

type ContainerOptions = {
  readonly labels?: Readonly<Record<string, string>>;
  readonly hasTerminal?: boolean;
  readonly driver?: string;
  readonly isCreatedOnly?: boolean;
  /** When it was created, if not now. */
  readonly createdNanos?: bigint;
};

type Known = {
  readonly id: string;
  readonly name: string;
  readonly options: ContainerOptions;
  readonly createdNanos: bigint;
  readonly state: ContainerState;
  restartCount: number;
  messages: Message[];
  readonly followers: Set<(message: Message) => void>;
  readonly ends: Set<() => void>;
};

const apiVersion = '1.43';

const formatTime = (nanos: bigint): string =>
  nanos === 0n
    ? '0001-01-01T00:00:00Z'
    : `${new Date(Number(nanos / 1_000_000n)).toISOString().slice(0, 19)}.${String(nanos % 1_000_000_000n).padStart(9, '0')}Z`;

const parseTime = (text: string | null): bigint => {
  const [seconds = '0', nanos = ''] = (text ?? '0').split('.');
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos.padEnd(9, '0').slice(0, 9));
};

/** Starts the double on a socket in a folder of its own. It is closed at the end of the test. */
export const startEngineDouble = async () => {
  const folder = createShortFolder('engine');
  const path = join(folder.path, 'engine.sock');
  const containers = new Map<string, Known>();
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let events: object[] = [];
  const watchers = new Set<(event: object) => void>();
  let server: Server | undefined;
  let lastNanos = 0n;
  let lastId = 0;

  /** Never twice the same. */
  const now = (): bigint => {
    const nanos = BigInt(Date.now()) * 1_000_000n;
    lastNanos = nanos > lastNanos ? nanos : lastNanos + 1n;
    return lastNanos;
  };

  const tell = (
    {id, name, options}: Known,
    action: string,
    attributes: Readonly<Record<string, string>> = {},
  ): void => {
    const nanos = now();
    const event = {
      ...{status: action, id, from: 'image', Type: 'container', Action: action, scope: 'local'},
      Actor: {ID: id, Attributes: {image: 'image', name, ...options.labels, ...attributes}},
      time: Number(nanos / 1_000_000_000n),
      timeNano: Number(nanos),
    };
    events.push(event);
    for (const watcher of watchers) {
      watcher(event);
    }
  };

  const find = (word: string): Known | undefined =>
    [...containers.values()].find(({id, name}) => name === word || id === word) ??
    [...containers.values()].find(({id}) => id.startsWith(word));

  const json = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'api-version': apiVersion,
      server: 'Docker/24.0.0',
    });
    response.end(JSON.stringify(body));
  };

  const frameOf = ({stream, nanos, text}: Message, options: {hasTerminal: boolean; stamps: boolean}): Buffer => {
    const payload = Buffer.from(`${options.stamps ? `${formatTime(nanos)} ` : ''}${text}`);
    if (options.hasTerminal) {
      return payload;
    }
    const header = Buffer.alloc(8);
    header[0] = stream === 'stdout' ? 1 : 2;
    header.writeUInt32BE(payload.length, 4);
    return Buffer.concat([header, payload]);
  };

  const sendLogs = (container: Known, query: URLSearchParams, response: ServerResponse): void => {
    const {options} = container;
    if (options.driver !== undefined && !['json-file', 'local', 'journald'].includes(options.driver)) {
      json(response, 501, {message: 'configured logging driver does not support reading'});
      return;
    }
    const isOn = (name: string): boolean => ['1', 'true'].includes(query.get(name) ?? '');
    if (!isOn('stdout') && !isOn('stderr')) {
      json(response, 400, {message: 'Bad parameters: you must choose at least one stream'});
      return;
    }
    const since = parseTime(query.get('since') || null);
    const tail = Number(query.get('tail') ?? 'all');
    const format = {hasTerminal: options.hasTerminal ?? false, stamps: isOn('timestamps')};
    const wanted = ({stream, nanos}: Message): boolean => isOn(stream) && nanos >= since;
    const held = Number.isNaN(tail) ? container.messages : tail === 0 ? [] : container.messages.slice(-tail);
    response.writeHead(200, {
      'content-type': `application/vnd.docker.${format.hasTerminal ? 'raw' : 'multiplexed'}-stream`,
      'api-version': apiVersion,
    });
    response.flushHeaders();
    for (const message of held.filter(wanted)) {
      response.write(frameOf(message, format));
    }
    if (!isOn('follow') || container.state.status !== 'running') {
      response.end();
      return;
    }
    const follower = (message: Message): void => {
      if (wanted(message)) {
        response.write(frameOf(message, format));
      }
    };
    const end = (): void => {
      container.followers.delete(follower);
      response.end();
    };
    container.followers.add(follower);
    container.ends.add(end);
    response.on('close', () => {
      container.followers.delete(follower);
      container.ends.delete(end);
    });
  };

  const sendEvents = (query: URLSearchParams, response: ServerResponse): void => {
    response.writeHead(200, {'content-type': 'application/json', 'api-version': apiVersion});
    response.flushHeaders();
    const send = (event: object): void => void response.write(`${JSON.stringify(event)}\n`);
    const since = query.get('since');
    if (since !== null && since !== '') {
      events.filter(event => 'timeNano' in event && BigInt(Number(event.timeNano)) >= parseTime(since)).forEach(send);
    }
    watchers.add(send);
    response.on('close', () => watchers.delete(send));
  };

  const listed = ({id, name, options, createdNanos, state}: Known) => ({
    ...{Id: id, Names: [`/${name}`], Image: 'image', ImageID: 'sha256:0', Command: 'run', Ports: [], Mounts: []},
    Created: Number(createdNanos / 1_000_000_000n),
    Labels: options.labels ?? {},
    State: state.status,
    Status: state.status === 'exited' ? `Exited (${state.exitCode}) 1 second ago` : 'Up 1 second',
    HostConfig: {NetworkMode: 'default'},
    NetworkSettings: {Networks: {}},
  });

  const inspected = (container: Known) => {
    const {id, name, options, createdNanos, state, restartCount} = container;
    return {
      Id: id,
      Name: `/${name}`,
      Created: formatTime(createdNanos),
      RestartCount: restartCount,
      State: {
        Status: state.status,
        ...{Running: state.status === 'running', Paused: false, Restarting: false, Dead: false, Pid: 1, Error: ''},
        ...{OOMKilled: state.isOomKilled, ExitCode: state.exitCode},
        StartedAt: formatTime(state.startedNanos),
        FinishedAt: formatTime(state.finishedNanos),
        ...(state.health !== undefined && {Health: {Status: state.health, FailingStreak: 0, Log: []}}),
      },
      Config: {
        Tty: options.hasTerminal ?? false,
        Env: ['PASSWORD=the-secret-of-the-environment'],
        Cmd: ['run'],
        Labels: options.labels ?? {},
      },
      HostConfig: {LogConfig: {Type: options.driver ?? 'json-file', Config: {}}},
    };
  };

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://docker');
    requests.push(`${url.pathname}${url.search}`);
    const route = url.pathname.replace(/^\/v\d+\.\d+/, '');
    if (route === '/_ping') {
      response.writeHead(200, {'api-version': apiVersion, ostype: 'linux', 'content-type': 'text/plain'});
      response.end(request.method === 'HEAD' ? undefined : 'OK');
    } else if (route === '/version') {
      json(response, 200, {Version: '24.0.0', ApiVersion: apiVersion, MinAPIVersion: '1.24', Components: []});
    } else if (route === '/events') {
      sendEvents(url.searchParams, response);
    } else if (route === '/containers/json') {
      const isAll = ['1', 'true'].includes(url.searchParams.get('all') ?? '');
      const shown = [...containers.values()].filter(({state}) => isAll || state.status === 'running');
      json(response, 200, shown.toReversed().map(listed));
    } else {
      const [, word = '', what] = /^\/containers\/([^/]+)\/(json|logs)$/.exec(route) ?? [];
      const container = find(decodeURIComponent(word));
      if (what === undefined) {
        json(response, 404, {message: 'page not found'});
      } else if (!container) {
        json(response, 404, {message: `No such container: ${word}`});
      } else if (what === 'json') {
        json(response, 200, inspected(container));
      } else {
        sendLogs(container, url.searchParams, response);
      }
    }
  };

  const listen = async (): Promise<void> => {
    const created = createServer(answer);
    created.on('connection', socket => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>(resolve => created.listen(path, resolve));
    server = created;
  };

  /** Ends all connections where they are. */
  const cut = (): void => {
    for (const socket of sockets) {
      socket.destroy();
    }
  };

  const stop = async (): Promise<void> => {
    const closed = new Promise<void>(resolve => (server ? server.close(() => resolve()) : resolve()));
    cut();
    await closed;
    server = undefined;
  };

  const create = (name: string, options: ContainerOptions = {}): DoubleContainer => {
    lastId += 1;
    const known: Known = {
      id: lastId.toString(16).padStart(4, '0').repeat(16),
      ...{name, options, createdNanos: options.createdNanos ?? now(), restartCount: 0},
      ...{messages: [], followers: new Set(), ends: new Set()},
      state: {
        ...{status: 'created', exitCode: 0, isOomKilled: false, startedNanos: 0n, finishedNanos: 0n},
        health: undefined,
      },
    };
    containers.set(known.id, known);
    tell(known, 'create');
    const start = (): void => {
      known.restartCount += known.state.startedNanos > 0n ? 1 : 0;
      Object.assign(known.state, {status: 'running', startedNanos: now(), exitCode: 0, isOomKilled: false});
      tell(known, 'start');
    };
    if (!options.isCreatedOnly) {
      start();
    }
    const die: DoubleContainer['die'] = (code, {isOomKilled = false} = {}) => {
      if (isOomKilled) {
        tell(known, 'oom');
      }
      Object.assign(known.state, {status: 'exited', exitCode: code, isOomKilled, finishedNanos: now()});
      for (const end of [...known.ends]) {
        end();
      }
      tell(known, 'die', {exitCode: String(code)});
    };
    return {
      id: known.id,
      write: (text, {stream = 'stdout', nanos = now(), isPiece = false} = {}) => {
        const newline = options.hasTerminal ? '\r\n' : '\n';
        const message = {stream, nanos, text: isPiece ? text : `${text}${newline}`};
        known.messages.push(message);
        for (const follower of [...known.followers]) {
          follower(message);
        }
      },
      start,
      die,
      remove: () => {
        if (known.state.status === 'running') {
          die(137);
        }
        containers.delete(known.id);
        tell(known, 'destroy');
      },
      setHealth: health => {
        known.state.health = health;
        tell(known, `health_status: ${health}`);
      },
      rotate: keep => {
        known.messages = keep === 0 ? [] : known.messages.slice(-keep);
      },
      repeat: count => {
        for (const message of known.messages.slice(-count)) {
          for (const follower of known.followers) {
            follower(message);
          }
        }
      },
      followers: () => known.followers.size,
    };
  };

  await listen();
  onTestFinished(async () => {
    await stop();
    folder.remove();
  });
  return {
    path,
    host: `unix://${path}`,
    requests,
    now,
    create,
    cut,
    /** Sends the beginning of a frame to all followers of a container, and ends their connections. */
    cutInsideFrame: (name: string) => {
      const container = find(name);
      const header = Buffer.alloc(8);
      header[0] = 1;
      header.writeUInt32BE(500, 4);
      for (const socket of sockets) {
        if (container && container.followers.size > 0) {
          // A chunk of HTTP that says more than comes.
          socket.write('200\r\n');
          socket.write(Buffer.concat([header, Buffer.from(`${formatTime(now())} the beginning of a line that`)]));
        }
        socket.end();
      }
    },
    stop,
    /** The engine forgets its events, and the containers go on. */
    start: async () => {
      events = [];
      await listen();
    },
  };
};
