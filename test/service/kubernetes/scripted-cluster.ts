import {formatInstant, type Instant, parseInstant} from '#log/line/instant.ts';
import type {ContainerPlace} from '#service/containers/container-logs.ts';
import {type KubeClient, KubeError, type KubeStream, type KubeStreamOptions} from '#service/kubernetes/kube-client.ts';
import type {LinkQuery} from '#service/link/link.ts';

/** A kubelet with one pod a container, in memory, that does at once what the test says. */

type WrittenLine = {readonly stamp: Instant; readonly text: string};
/** What one instance of a container wrote: the newest file, which is all that a read finds. */
type Instance = {file: WrittenLine[]; isEnded: boolean; isRemoved: boolean};
type OpenStream = {readonly instance: Instance; readonly options: KubeStreamOptions; since: Instant; isFrozen: boolean};

export type ScriptedContainer = {
  readonly place: () => ContainerPlace;
  /** Writes a line, stamped with the clock's time unless told otherwise, in nanoseconds. */
  write(text: string, stamp?: Instant): void;
  /** Ends the instance: its streams end properly after its last line. */
  end(): void;
  start(): void;
  /** The runtime removes an instance: its node ends streams with these words, and has no log of it any more. */
  remove(which?: 'newest' | 'previous'): void;
  /** The file is moved away; with `cut`, streams do not notice. */
  rotate(): void;
  /** What happens to the open streams. */
  breakStreams(how: 'cut' | 'clean' | 'freeze'): void;
  /** Answers of the next requests: an error, or a body in place of the log. */
  readonly answers: (KubeError | string)[];
  /** Requests so far. */
  readonly requests: LinkQuery[];
  streamCount(): number;
  isGone: boolean;
  /** The last instance has ended and waits to be started again: it is the newest and the previous one. */
  isBackingOff: boolean;
  /** The next line reaches no open stream, though they go on. */
  skipNext: boolean;
  /** New streams are frozen after this many lines; undefined: none. */
  freezeAfter: number | undefined;
};

const bytesOf = (lines: readonly WrittenLine[]): Buffer =>
  Buffer.from(lines.map(({stamp, text}) => `${formatInstant(stamp)} ${text}\n`).join(''));

export const refuse = (status: number, message = `status ${status}`, retryAfterMs?: number): KubeError =>
  new KubeError('status', message, {status, retryAfterMs});

/** Sends bytes in pieces of odd sizes, cut anywhere. */
const sendPieces = (bytes: Buffer, onData: (bytes: Buffer) => void, pieceBytes: number): void => {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    onData(bytes.subarray(start, start + pieceBytes));
  }
};

export const createScriptedCluster = ({nowMs, pieceBytes = 1_000}: {nowMs: () => number; pieceBytes?: number}) => {
  const containers = new Map<string, (options: KubeStreamOptions) => KubeStream>();
  let tick = 0n;

  const addContainer = (podName: string, given: Partial<ContainerPlace> = {}): ScriptedContainer => {
    const begin = (): Instance => ({file: [], isEnded: false, isRemoved: false});
    const instances: Instance[] = [begin()];
    const hexOf = (instance: Instance): string =>
      Buffer.from(`${podName}-${instances.indexOf(instance) + 1}`)
        .toString('hex')
        .padStart(64, '0');
    const streams = new Set<OpenStream>();
    const podCreatedAtMs = nowMs();
    const current = (): Instance => instances.at(-1) ?? begin();

    const finish = (stream: OpenStream, error?: KubeError): void => {
      if (streams.delete(stream)) {
        stream.options.onEnd(error);
      }
    };

    const self: ScriptedContainer = {
      place: () => ({
        namespace: 'shop',
        podName,
        podUid: `uid-${podName}`,
        container: 'app',
        containerKind: 'app',
        isFinished: false,
        instanceId: `containerd://${hexOf(current())}`,
        restartCount: instances.length - 1,
        state: self.isBackingOff ? 'waiting' : current().isEnded ? 'terminated' : 'running',
        finishedAtMs: current().isEnded ? nowMs() : undefined,
        podCreatedAtMs,
        isSeenFromStart: true,
        ...given,
      }),
      write: (text, stamp) => {
        tick += 1n;
        const line = {stamp: stamp ?? BigInt(nowMs()) * 1_000_000n + (tick % 1_000_000n), text};
        current().file.push(line);
        for (const stream of streams) {
          if (stream.instance === current() && !stream.isFrozen && !self.skipNext && line.stamp >= stream.since) {
            sendPieces(bytesOf([line]), stream.options.onData, pieceBytes);
          }
        }
        self.skipNext = false;
      },
      end: () => {
        current().isEnded = true;
        for (const stream of streams) {
          if (stream.instance === current() && !stream.isFrozen) {
            finish(stream);
          }
        }
      },
      start: () => {
        self.end();
        instances.push(begin());
      },
      remove: (which = 'newest') => {
        const instance = instances.at(which === 'newest' ? -1 : -2) ?? begin();
        instance.isRemoved = true;
        instance.isEnded = true;
        for (const stream of streams) {
          if (stream.instance === instance && !stream.isFrozen) {
            const desc = `an error occurred when try to find container "${hexOf(instance)}": not found`;
            stream.options.onData(Buffer.from(`rpc error: code = NotFound desc = ${desc}`));
            finish(stream);
          }
        }
      },
      rotate: () => {
        current().file = [];
      },
      breakStreams: how => {
        for (const stream of streams) {
          if (how === 'freeze') {
            stream.isFrozen = true;
          } else {
            finish(stream, how === 'cut' ? new KubeError('connection', 'The connection broke.') : undefined);
          }
        }
      },
      answers: [],
      requests: [],
      streamCount: () => streams.size,
      isGone: false,
      skipNext: false,
      isBackingOff: false,
      freezeAfter: undefined,
    };

    const read = (options: KubeStreamOptions): KubeStream => {
      const {query = {}} = options;
      self.requests.push(query);
      if (self.isGone) {
        throw refuse(404);
      }
      const answer = self.answers.shift();
      if (answer instanceof KubeError) {
        throw answer;
      }
      if (answer !== undefined) {
        queueMicrotask(() => {
          options.onData(Buffer.from(answer));
          options.onEnd(undefined);
        });
        return {close: () => {}};
      }
      const instance = query.previous ? instances.at(self.isBackingOff ? -1 : -2) : current();
      if (!instance) {
        throw refuse(400, 'previous terminated container "app" not found');
      }
      if (instance.isRemoved) {
        queueMicrotask(() => {
          options.onData(Buffer.from(`unable to retrieve container logs for containerd://${hexOf(instance)}`));
          options.onEnd(undefined);
        });
        return {close: () => {}};
      }
      const since = parseInstant(String(query.sinceTime)) ?? 0n;
      if (query.sinceTime !== undefined && !/T\d\d:\d\d:\d\dZ$/.test(String(query.sinceTime))) {
        throw refuse(400, 'sinceTime must be in whole seconds');
      }
      let lines = instance.file.filter(line => line.stamp >= since);
      lines = query.tailLines === undefined ? lines : lines.slice(-Number(query.tailLines));
      lines = query.follow ? lines.slice(0, self.freezeAfter) : lines;
      const body = bytesOf(lines).subarray(0, query.limitBytes === undefined ? undefined : Number(query.limitBytes));
      const isFrozen = query.follow === true && self.freezeAfter !== undefined;
      const stream: OpenStream = {instance, options, since, isFrozen};
      streams.add(stream);
      queueMicrotask(() => {
        if (!streams.has(stream)) {
          return;
        }
        sendPieces(body, options.onData, pieceBytes);
        if ((!query.follow || instance.isEnded) && !isFrozen) {
          finish(stream);
        }
      });
      return {close: () => streams.delete(stream)};
    };
    containers.set(`${podName}/${given.container ?? 'app'}`, read);
    return self;
  };

  const read = (path: string, options: KubeStreamOptions): KubeStream => {
    const readContainer = containers.get(`${/pods\/([^/]+)\/log$/.exec(path)?.[1]}/${options.query?.container}`);
    if (!readContainer) {
      throw refuse(404);
    }
    return readContainer(options);
  };

  const client: KubeClient = {
    address: 'https://cluster.example',
    get: async (path, {query = {}} = {}) => {
      const chunks: Buffer[] = [];
      const {promise, resolve, reject} = Promise.withResolvers<string>();
      const onEnd = (error: KubeError | undefined) =>
        error ? reject(error) : resolve(Buffer.concat(chunks).toString('utf8'));
      read(path, {query, onData: bytes => chunks.push(bytes), onEnd});
      return promise;
    },
    open: async (path, options) => read(path, options),
    close: async () => {},
  };
  return {client, addContainer};
};
