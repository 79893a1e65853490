import {type AddressInfo, connect, createServer, type Socket} from 'node:net';
import type {KubeletManners} from './kubelet/read-log.ts';
import {type Listener, type ListenerKind, openListener} from './listener/open-listener.ts';
import {type Access, createAccess, makeToken} from './server/access.ts';
import {type ApiServer, handleRequest, type RecordedKubeRequest, type Throttle} from './server/handle-request.ts';
import {createOpenStreams, type OpenStream, type StreamKind} from './server/open-streams.ts';
import {createLists} from './server/serve-list.ts';
import {type Credentials, createTestAuthority} from './server/test-authority.ts';
import {createEvents, type Events} from './world/events.ts';
import {createObjectStore, type ObjectStore} from './world/object-store.ts';
import {createOtherKinds, type OtherKinds} from './world/other-kinds.ts';
import {createPods, type Pods} from './world/pods.ts';
import {createStampClock, type StampClock, type StampZone} from './world/stamps.ts';
import {createWorkloads, type Workloads} from './world/workloads.ts';

export type KubeDoubleOptions = {
  /** `h2` (the default) is TLS with HTTP/2 and HTTP/1.1 by ALPN, `h1` TLS with HTTP/1.1 alone, `plain` neither TLS nor HTTP/2. */
  readonly listener?: ListenerKind;
  readonly maxConcurrentStreams?: number;
  /** The zone of the nodes, as the runtime stamps lines: `Z` or such as `+09:00`. */
  readonly zone?: StampZone;
  /** Bytes of a record's text: 16 KB as containerd, 8 KB as conmon. */
  readonly pieceBytes?: number;
  /** A log file's size before it is rotated; the kubelet's default is 10 MiB. */
  readonly rotateBytes?: number;
  readonly bookmarkEveryMs?: number;
  readonly kubelet?: Partial<KubeletManners>;
  /** The minor version that `/version` names. */
  readonly minor?: number;
  /** Argo Rollouts is installed. */
  readonly hasRollouts?: boolean;
  /** False keeps no lines in the truth, only their number, for long benchmarks. */
  readonly keepsTruth?: boolean;
  readonly clock?: StampClock;
  /** How much later pods' statuses tell what containers do, as with real kubelets; 0 left out. */
  readonly statusLagMs?: number;
  /** Connections pass through a relay, which can freeze them without either end being told. */
  readonly hasRelay?: boolean;
  /** The relay freezes connections on which nothing passes for so long; a PING counts. Implies `hasRelay`. */
  readonly relayIdleMs?: number;
};

/** The ServiceAccount of the token that is let in at the start. */
export const doubleUser = 'system:serviceaccount:shop:branchlog';

export type KubeDouble = {
  /** `https://127.0.0.1:PORT`, or `http` where it is plain. */
  readonly url: string;
  readonly port: number;
  /** The authority's certificate, as PEM. */
  readonly ca: string;
  /** A bearer token of {@link doubleUser}. */
  readonly token: string;
  /** Makes a client certificate; the user's name is in it, and may do everything until rules are set. */
  issueClient(user: string, groups?: readonly string[]): Credentials;
  /** A kubeconfig as text (JSON is YAML), with a token or a client certificate. */
  kubeconfig(login?: Login): string;
  readonly store: ObjectStore;
  readonly pods: Pods;
  readonly workloads: Workloads;
  /** DaemonSets, Jobs, CronJobs, Rollouts, and pods without a controller. */
  readonly others: OtherKinds;
  readonly events: Events;
  readonly access: Access;
  /** Requests so far, oldest first. */
  readonly requests: readonly RecordedKubeRequest[];
  /** Open watches and followed logs, to be cut, ended or frozen. */
  streams(kind?: StreamKind): readonly OpenStream[];
  readonly connections: Pick<Listener, 'connectionCount' | 'connectionTotal' | 'goAway' | 'resetConnections'>;
  /** Present connections go half-open, PINGs unanswered. Throws without `hasRelay`. */
  freezeConnections(): void;
  /** Connections that the relay froze. */
  readonly frozenConnections: number;
  /** Forgets the history: watches from versions so far get 410, as an event or as the HTTP status; pages of lists too. */
  compact(goneAs?: 'event' | 'status'): void;
  /** Refuses the next lists and watches with 429; logs are never refused. */
  throttle(refusals: number, retryAfterSeconds?: number): void;
  /** Lets lists wait until the returned function is called, and then one after the other as they come. */
  holdLists(): {readonly waiting: ReadonlySet<string>; release(): void};
  /** Answers every request with this status, such as 503, until it is called with undefined. */
  setOutage(status: number | undefined): void;
  /** The next log request gets this text of the kubelet's in a 200, and no line. */
  failNextLog(text: string): void;
  /** The node's kubelet cannot be reached, or can again: its streams end as if all were well, new ones get a 500. */
  setNodeDown(node: string, isDown: boolean): void;
  close(): Promise<void>;
};

export type Login = {
  readonly namespace?: string;
  readonly token?: string;
  readonly client?: Credentials;
  /** The kubeconfig's user, instead of one with the token or the certificate: such as `exec`. */
  readonly user?: Readonly<Record<string, unknown>>;
  /** Further fields of the kubeconfig's cluster; undefined takes one away. */
  readonly cluster?: Readonly<Record<string, unknown>>;
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/**
 * Starts a test double of a Kubernetes API server and its kubelets on a free loopback port. It is written from
 * Kubernetes' own documents and sources, so that it shares no mistake with the program.
 *
 * ```ts
 * const double = await startKubeDouble();
 * const shop = double.workloads.createDeployment({namespace: 'shop', name: 'shop-main', replicas: 2});
 * const [pod] = shop.pods();
 * double.pods.write(pod, 'php', {text: 'GET / 200'});   // or no text: a numbered line
 * double.pods.restart(pod, 'php');
 * double.workloads.rollOut(shop, {image: 'registry.example.com/php:2.0'});
 * for (const stream of double.streams('log')) stream.cut();   // .end() .freeze() .endInNextLine()
 * double.compact(); double.throttle(3, 1); double.access.rotateToken(double.token);
 * double.pods.truth();   // every line of every instance, with stamp and number
 * await double.close();
 * ```
 */
export const startKubeDouble = async (options: KubeDoubleOptions = {}): Promise<KubeDouble> => {
  const {listener: kind = 'h2', clock = createStampClock(), minor = 32} = options;
  const authority = createTestAuthority();
  const store = createObjectStore();
  const streams = createOpenStreams();
  const access = createAccess();
  const lists = createLists(store);
  const pods = createPods({
    store,
    clock,
    zone: options.zone ?? 'Z',
    logOptions: {pieceBytes: options.pieceBytes ?? 16 * 1024, rotateBytes: options.rotateBytes ?? 10 * 1024 * 1024},
    keepsTruth: options.keepsTruth ?? true,
    statusLagMs: options.statusLagMs ?? 0,
  });
  const workloads = createWorkloads(store, pods, clock);
  const others = createOtherKinds(store, pods, clock);
  const throttle: Throttle = {refusals: 0, retryAfterSeconds: 1};
  const requests: RecordedKubeRequest[] = [];
  const server: ApiServer = {
    store,
    lists,
    access,
    throttle,
    requests,
    minor,
    lacks: new Set(options.hasRollouts === true ? [] : ['rollouts']),
    hold: {until: undefined, waiting: new Set()},
    outage: {status: undefined},
    log: {
      pods,
      streams,
      clock,
      manners: {stampsEachPiece: false, staysWithRotatedFile: false, ...options.kubelet},
      faults: {nextErrorText: undefined, downNodes: new Set()},
    },
    watch: {store, streams, bookmarkEveryMs: options.bookmarkEveryMs ?? 60_000, faults: {goneAs: 'event'}},
  };
  const token = makeToken(doubleUser, 0);
  access.addToken(token, doubleUser);
  const listener = await openListener(
    kind,
    {ca: authority.ca, ...authority.server},
    (request, response) => handleRequest(server, request, response),
    options.maxConcurrentStreams,
  );
  const relay =
    options.hasRelay === true || options.relayIdleMs !== undefined
      ? await openRelay(listener.port, options.relayIdleMs ?? 0)
      : undefined;
  const port = relay?.port ?? listener.port;
  const url = `${kind === 'plain' ? 'http' : 'https'}://127.0.0.1:${port}`;

  return {
    url,
    port,
    ca: authority.ca,
    token,
    issueClient: authority.issueClient,
    kubeconfig: ({namespace = 'shop', token: userToken = token, client, user, cluster = {}} = {}) =>
      JSON.stringify(
        {
          apiVersion: 'v1',
          kind: 'Config',
          'current-context': 'double',
          contexts: [{name: 'double', context: {cluster: 'double', user: 'tester', namespace}}],
          clusters: [
            {
              name: 'double',
              cluster: {
                server: url,
                ...(kind === 'plain' ? {} : {'certificate-authority-data': base64(authority.ca)}),
                ...cluster,
              },
            },
          ],
          users: [
            {
              name: 'tester',
              user:
                user ??
                (client === undefined
                  ? {token: userToken}
                  : {
                      'client-certificate-data': base64(client.cert),
                      'client-key-data': base64(client.key),
                    }),
            },
          ],
        },
        undefined,
        2,
      ),
    store,
    pods,
    workloads,
    others,
    events: createEvents(store, clock),
    access,
    requests,
    streams: streams.list,
    connections: listener,
    freezeConnections: () => {
      if (relay === undefined) {
        throw new Error('Start the double with hasRelay: true to freeze its connections.');
      }
      relay.freeze();
    },
    get frozenConnections() {
      return relay?.frozenCount ?? 0;
    },
    compact: (goneAs = 'event') => {
      server.watch.faults.goneAs = goneAs;
      store.compact();
      lists.expireContinues();
    },
    throttle: (refusals, retryAfterSeconds = 1) => {
      throttle.refusals = refusals;
      throttle.retryAfterSeconds = retryAfterSeconds;
    },
    holdLists: () => {
      const {promise, resolve} = Promise.withResolvers<void>();
      server.hold.until = promise;
      return {
        waiting: server.hold.waiting,
        release: () => {
          server.hold.until = undefined;
          resolve();
        },
      };
    },
    setOutage: status => {
      server.outage.status = status;
    },
    failNextLog: text => {
      server.log.faults.nextErrorText = text;
    },
    setNodeDown: (node, isDown) => {
      if (!isDown) {
        server.log.faults.downNodes.delete(node);
        return;
      }
      server.log.faults.downNodes.add(node);
      for (const stream of streams.list('log')) {
        if (pods.find(stream.namespace, stream.name)?.node === node) {
          stream.end();
        }
      }
    },
    close: async () => {
      for (const stream of streams.list()) {
        stream.cut();
      }
      await relay?.close();
      await listener.close();
    },
  };
};

type Relay = {
  readonly port: number;
  /** Connections open now no longer pass anything on and stay open, as after a firewall forgot them. New ones work. */
  freeze(): void;
  /** Connections that are frozen and still open. */
  readonly frozenCount: number;
  close(): Promise<void>;
};

type Pair = {readonly client: Socket; readonly upstream: Socket; isFrozen: boolean};

const freezePair = (pair: Pair): void => {
  const {client, upstream} = pair;
  pair.isFrozen = true;
  client.unpipe(upstream);
  upstream.unpipe(client);
  client.pause();
  upstream.pause();
};

/**
 * Passes TCP connections on to a port of this machine, so that one can break without either end being told.
 * @param idleMs a connection on which nothing passes for so long freezes, as at a load balancer; 0 for never
 */
const openRelay = async (targetPort: number, idleMs: number): Promise<Relay> => {
  const pairs = new Set<Pair>();
  const server = createServer(client => {
    const upstream = connect(targetPort, '127.0.0.1');
    const pair: Pair = {client, upstream, isFrozen: false};
    pairs.add(pair);
    client.pipe(upstream).pipe(client);
    client.setTimeout(idleMs, () => freezePair(pair));
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        client.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      for (const pair of pairs) {
        freezePair(pair);
      }
    },
    get frozenCount() {
      return [...pairs].filter(({isFrozen}) => isFrozen).length;
    },
    close: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      for (const {client} of pairs) {
        client.destroy();
      }
      await closed;
    },
  };
};
