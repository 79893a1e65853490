import {badRequest, KubeFailure, makeStatus, notFound} from '../kube-status.ts';
import {createLogReader, type KubeletManners, type LogQuery} from '../kubelet/read-log.ts';
import type {KubeResponse} from '../listener/open-listener.ts';
import {writeHead} from '../listener/write-head.ts';
import {type Instance, isRunning, kindOf, type Pod, type PodContainer} from '../world/pod-model.ts';
import type {Pods} from '../world/pods.ts';
import {parseStamp, type StampClock} from '../world/stamps.ts';
import type {OpenStreams} from './open-streams.ts';

export type LogFaults = {
  /** A stream that opens next gets this text of the kubelet's as its whole body, in a 200. */
  nextErrorText: string | undefined;
  /** Nodes whose kubelet cannot be reached. */
  readonly downNodes: Set<string>;
};

export type LogService = {
  readonly pods: Pods;
  readonly streams: OpenStreams;
  readonly clock: StampClock;
  readonly manners: KubeletManners;
  readonly faults: LogFaults;
};

export type LogRequest = {
  readonly namespace: string;
  readonly podName: string;
  readonly user: string;
  readonly params: URLSearchParams;
};

/** As much as Go's `io.Copy` moves at once. */
const readBytesMax = 32 * 1024;

const isTrue = (params: URLSearchParams, name: string): boolean => ['true', '1'].includes(params.get(name) ?? '');

const invalid = (pod: string, field: string, reason: string, message: string): KubeFailure =>
  new KubeFailure(
    makeStatus(422, 'Invalid', `PodLogOptions "${pod}" is invalid: ${field}: ${message}`, {
      details: {name: pod, kind: 'PodLogOptions', causes: [{reason, message, field}]},
    }),
  );

const readCount = (pod: string, params: URLSearchParams, name: string, min: number): number | undefined => {
  const text = params.get(name);
  if (text === null) {
    return undefined;
  }
  if (!/^-?\d+$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  }
  const count = Number(text);
  if (count < min) {
    const must = min === 0 ? 'must be greater than or equal to 0' : 'must be greater than 0';
    throw invalid(pod, name, 'FieldValueInvalid', `Invalid value: ${text}: ${must}`);
  }
  return count;
};

/** Checks a log request's parameters as `ValidatePodLogOptions` does. Throws the API server's refusal. */
export const readLogQuery = (pod: string, params: URLSearchParams, nowNs: bigint): LogQuery => {
  const sinceSeconds = readCount(pod, params, 'sinceSeconds', 1);
  const sinceTime = params.get('sinceTime');
  if (sinceSeconds !== undefined && sinceTime !== null) {
    const message = 'Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified';
    throw invalid(pod, '[]', 'FieldValueForbidden', message);
  }
  const since = sinceTime === null ? undefined : parseStamp(sinceTime);
  if (sinceTime !== null && since === undefined) {
    throw badRequest(
      `parsing time "${sinceTime}" as "2006-01-02T15:04:05Z07:00": cannot parse "${sinceTime}" as "2006"`,
    );
  }
  const stream = params.get('stream');
  return {
    follow: isTrue(params, 'follow'),
    timestamps: isTrue(params, 'timestamps'),
    // The API server hands it on to the kubelet in whole seconds, whatever was asked.
    sinceNs:
      sinceSeconds === undefined
        ? since && (since.stampNs / 1_000_000_000n) * 1_000_000_000n
        : nowNs - BigInt(sinceSeconds) * 1_000_000_000n,
    tailLines: readCount(pod, params, 'tailLines', 0),
    limitBytes: readCount(pod, params, 'limitBytes', 1),
    stream: stream === 'Stdout' ? 'stdout' : stream === 'Stderr' ? 'stderr' : undefined,
  };
};

const findContainer = (pod: Pod, name: string | null): PodContainer => {
  // As the API server visits them: init containers first, ephemeral ones last.
  const rank = (container: PodContainer): number =>
    ['init', 'sidecar', 'container', 'ephemeral'].indexOf(kindOf(container));
  const all = pod.containers.toSorted((a, b) => Math.max(rank(a), 1) - Math.max(rank(b), 1));
  if (name !== null && name !== '') {
    const found = all.find(({spec}) => spec.name === name);
    if (found === undefined) {
      throw badRequest(`container ${name} is not valid for pod ${pod.name}`);
    }
    return found;
  }
  const main = all.filter(container => kindOf(container) === 'container');
  const [only] = main;
  if (only === undefined || main.length > 1) {
    const names = all.map(({spec}) => spec.name).join(' ');
    throw badRequest(`a container name must be specified for pod ${pod.name}, choose one of: [${names}]`);
  }
  return only;
};

const waitingText = (reason: string): string =>
  reason === 'ErrImagePull'
    ? ": image can't be pulled"
    : reason === 'ImagePullBackOff'
      ? ': trying and failing to pull image'
      : `: ${reason}`;

/** The instance that the kubelet reads, by the rules of its `validateContainerLogStatus`. Throws its refusal. */
const chooseInstance = (pod: Pod, container: PodContainer, previous: boolean): Instance => {
  const {name} = container.spec;
  const at = `container "${name}" in pod "${pod.name}"`;
  if (pod.failure !== undefined) {
    throw badRequest(`${at} is not available`);
  }
  const last = container.waitingReason === undefined ? container.previous : container.current;
  if (previous) {
    if (last === undefined) {
      throw badRequest(`previous terminated ${at} not found`);
    }
    return last;
  }
  const chosen = isRunning(container) || container.waitingReason === undefined ? container.current : last;
  if (chosen === undefined) {
    throw badRequest(`${at} is waiting to start${waitingText(container.waitingReason ?? 'ContainerCreating')}`);
  }
  return chosen;
};

/** What a kubelet writes when it looks whether the container of a stream still runs, and its runtime has removed it. */
const removedText = ({id}: Instance): string =>
  `rpc error: code = NotFound desc = an error occurred when try to find container "${id.slice('containerd://'.length)}": not found`;

/** Answers GET of pods/NAME/log. Throws a failure that is the whole answer. */
export const serveLog = (
  service: LogService,
  {namespace, podName, user, params}: LogRequest,
  response: KubeResponse,
): void => {
  const {pods, streams, clock, manners, faults} = service;
  const pod = pods.find(namespace, podName);
  if (pod === undefined) {
    throw notFound({resource: 'pods', group: '', name: podName});
  }
  const query = readLogQuery(podName, params, clock());
  const container = findContainer(pod, params.get('container'));
  if (pod.node === undefined) {
    writeHead(response, 204);
    response.end();
    return;
  }
  if (faults.downNodes.has(pod.node)) {
    const place = `https://10.0.0.11:10250/containerLogs/${namespace}/${podName}/${container.spec.name}`;
    throw new KubeFailure(makeStatus(500, '', `Get "${place}": dial tcp 10.0.0.11:10250: connect: connection refused`));
  }
  const instance = chooseInstance(pod, container, isTrue(params, 'previous'));
  const stream = streams.open(response, {kind: 'log', user, namespace, name: podName, container: container.spec.name});
  // From here on the status is 200: the kubelet sends its head before it looks for the log.
  writeHead(response, 200, {'content-type': 'text/plain'});
  const errorText =
    faults.nextErrorText ?? (instance.isCollected ? `unable to retrieve container logs for ${instance.id}` : undefined);
  if (errorText !== undefined) {
    faults.nextErrorText = undefined;
    stream.send(errorText);
    stream.end();
    return;
  }
  const reader = createLogReader(instance.log, query, manners);
  const pump = (): void => {
    // A client that does not read holds the kubelet up, and two rotations later a file is lost.
    while (stream.isOpen && !stream.isBlocked) {
      const bytes = reader.read(readBytesMax);
      stream.send(bytes);
      if (reader.isDone && !stream.isFrozen) {
        stream.send(query.follow && instance.isCollected ? removedText(instance) : '');
        stream.end();
      }
      if (bytes === '') {
        return;
      }
    }
  };
  if (query.follow) {
    stream.onClose(instance.log.onChange(pump));
  }
  stream.onDrain(pump);
  pump();
};
