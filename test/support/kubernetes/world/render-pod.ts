import type {KubeObject} from '../kube-object.ts';
import {type ContainerKind, type Instance, isRunning, kindOf, type Pod, type PodContainer} from './pod-model.ts';
import {formatSecond} from './stamps.ts';

const imageOf = ({spec}: PodContainer): string => spec.image ?? `registry.example.com/${spec.name}:1.0`;

const renderSpec = (container: PodContainer): Readonly<Record<string, unknown>> => ({
  name: container.spec.name,
  image: imageOf(container),
  ...(container.spec.env === undefined
    ? {}
    : {env: Object.entries(container.spec.env).map(([name, value]) => ({name, value}))}),
  resources: {},
  ...(kindOf(container) === 'sidecar' ? {restartPolicy: 'Always'} : {}),
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
  ...container.spec.extra,
});

const renderTerminated = (instance: Instance): Readonly<Record<string, unknown>> => ({
  terminated: {
    exitCode: instance.exitCode,
    reason: instance.reason,
    startedAt: formatSecond(instance.startedNs),
    finishedAt: formatSecond(instance.finishedNs ?? instance.startedNs),
    containerID: instance.id,
  },
});

const waitingMessage = (pod: Pod, container: PodContainer): string | undefined =>
  container.waitingReason === 'CrashLoopBackOff'
    ? `back-off 10s restarting failed container=${container.spec.name} pod=${pod.name}_${pod.namespace}(${pod.uid})`
    : undefined;

const renderState = (pod: Pod, container: PodContainer): Readonly<Record<string, unknown>> => {
  if (container.waitingReason !== undefined || container.current === undefined) {
    const message = waitingMessage(pod, container);
    const reason = container.waitingReason ?? 'ContainerCreating';
    return {waiting: {...(message === undefined ? {} : {message}), reason}};
  }
  return isRunning(container)
    ? {running: {startedAt: formatSecond(container.current.startedNs)}}
    : renderTerminated(container.current);
};

const renderStatus = (pod: Pod, container: PodContainer): Readonly<Record<string, unknown>> => ({
  containerID: container.current?.id ?? container.previous?.id ?? '',
  image: imageOf(container),
  imageID: `${imageOf(container).split(':')[0]}@sha256:${'5f'.repeat(32)}`,
  lastState: container.previous === undefined ? {} : renderTerminated(container.previous),
  name: container.spec.name,
  ready: isReadyOf(pod, container),
  restartCount: container.restartCount,
  started: isRunning(container),
  state: renderState(pod, container),
});

const isReadyOf = (pod: Pod, container: PodContainer): boolean =>
  kindOf(container) === 'init'
    ? container.current?.finishedNs !== undefined && container.current.exitCode === 0
    : isRunning(container) && (pod.isReady || kindOf(container) !== 'container') && kindOf(container) !== 'ephemeral';

const mainContainers = (pod: Pod): readonly PodContainer[] =>
  pod.containers.filter(container => kindOf(container) === 'container');

/** The phase as the kubelet works it out, apart from what failure and deletion set. */
export const phaseOf = (pod: Pod): string => {
  if (pod.failure !== undefined || pod.hasFailed) {
    return 'Failed';
  }
  if (pod.isSucceeded) {
    return 'Succeeded';
  }
  const hasStarted = mainContainers(pod).every(({current, previous}) => (current ?? previous) !== undefined);
  return pod.node !== undefined && hasStarted ? 'Running' : 'Pending';
};

const isPodReady = (pod: Pod): boolean =>
  phaseOf(pod) === 'Running' && mainContainers(pod).every(container => isReadyOf(pod, container));

const renderConditions = (pod: Pod): readonly unknown[] => {
  const created = formatSecond(pod.createdNs);
  const condition = (type: string, isTrue: boolean, since: string, reason?: string): unknown => ({
    type,
    status: isTrue ? 'True' : 'False',
    lastProbeTime: null,
    lastTransitionTime: since,
    ...(isTrue || reason === undefined ? {} : {reason}),
  });
  if (pod.node === undefined) {
    return [condition('PodScheduled', false, created, 'Unschedulable')];
  }
  const since = formatSecond(pod.readySinceNs);
  return [
    condition('Initialized', true, created),
    condition('Ready', isPodReady(pod), since, 'ContainersNotReady'),
    condition('ContainersReady', isPodReady(pod), since, 'ContainersNotReady'),
    condition('PodScheduled', true, created),
  ];
};

const ofKind = (pod: Pod, ...kinds: readonly ContainerKind[]): readonly PodContainer[] =>
  pod.containers.filter(container => kinds.includes(kindOf(container)));

const conditionFields = {
  '.': {},
  'f:lastProbeTime': {},
  'f:lastTransitionTime': {},
  'f:message': {},
  'f:observedGeneration': {},
  'f:reason': {},
  'f:status': {},
  'f:type': {},
};

/** Who set which fields, a kilobyte and more, as a real pod carries it. */
const renderManagedFields = (pod: Pod): readonly unknown[] => [
  {
    manager: 'kube-controller-manager',
    operation: 'Update',
    apiVersion: 'v1',
    time: formatSecond(pod.createdNs),
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:metadata': {
        'f:generateName': {},
        'f:labels': {'.': {}, ...Object.fromEntries(Object.keys(pod.labels).map(name => [`f:${name}`, {}]))},
        'f:ownerReferences': {'.': {}, [`k:{"uid":"${pod.owner?.uid ?? pod.uid}"}`]: {}},
      },
      'f:spec': {
        'f:containers': Object.fromEntries(
          pod.containers.map(({spec}) => [
            `k:{"name":"${spec.name}"}`,
            {
              '.': {},
              'f:image': {},
              'f:imagePullPolicy': {},
              'f:name': {},
              'f:resources': {},
              'f:terminationMessagePath': {},
              'f:terminationMessagePolicy': {},
            },
          ]),
        ),
        'f:dnsPolicy': {},
        'f:restartPolicy': {},
        'f:schedulerName': {},
        'f:securityContext': {},
        'f:terminationGracePeriodSeconds': {},
      },
    },
  },
  {
    manager: 'kubelet',
    operation: 'Update',
    apiVersion: 'v1',
    time: formatSecond(pod.readySinceNs),
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:status': {
        'f:conditions': Object.fromEntries(
          ['ContainersReady', 'Initialized', 'PodReadyToStartContainers', 'Ready'].map(type => [
            `k:{"type":"${type}"}`,
            conditionFields,
          ]),
        ),
        'f:containerStatuses': {},
        'f:hostIP': {},
        'f:phase': {},
        'f:podIP': {},
        'f:podIPs': {'.': {}, [`k:{"ip":"${pod.ip}"}`]: {'.': {}, 'f:ip': {}}},
        'f:startTime': {},
      },
    },
    subresource: 'status',
  },
];

/** The pod as the API server sends it, without its resource version. */
export const renderPod = (pod: Pod): KubeObject => {
  const specs = (containers: readonly PodContainer[]) => containers.map(renderSpec);
  const statuses = (...kinds: readonly ContainerKind[]) =>
    ofKind(pod, ...kinds).map(container => renderStatus(pod, container));
  const init = ofKind(pod, 'init', 'sidecar');
  const ephemeral = ofKind(pod, 'ephemeral');
  const hasStatuses = pod.node !== undefined && pod.failure === undefined;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: pod.name,
      ...(pod.owner?.kind === 'ReplicaSet' ? {generateName: `${pod.owner.name}-`} : {}),
      namespace: pod.namespace,
      uid: pod.uid,
      creationTimestamp: formatSecond(pod.createdNs),
      ...(pod.deletedNs === undefined
        ? {}
        : {deletionTimestamp: formatSecond(pod.deletedNs + 30_000_000_000n), deletionGracePeriodSeconds: 30}),
      labels: pod.labels,
      ...(Object.keys(pod.annotations).length === 0 ? {} : {annotations: pod.annotations}),
      ...(pod.owner === undefined ? {} : {ownerReferences: [pod.owner]}),
      managedFields: renderManagedFields(pod),
    },
    spec: {
      ...(init.length === 0 ? {} : {initContainers: specs(init)}),
      containers: specs(mainContainers(pod)),
      ...(ephemeral.length === 0 ? {} : {ephemeralContainers: specs(ephemeral)}),
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'default',
      ...(pod.node === undefined ? {} : {nodeName: pod.node}),
      schedulerName: 'default-scheduler',
      tolerations: ['not-ready', 'unreachable'].map(taint => ({
        key: `node.kubernetes.io/${taint}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      volumes: [
        {
          name: 'kube-api-access-x7k2p',
          projected: {
            sources: [
              {serviceAccountToken: {expirationSeconds: 3607, path: 'token'}},
              {configMap: {name: 'kube-root-ca.crt', items: [{key: 'ca.crt', path: 'ca.crt'}]}},
            ],
            defaultMode: 420,
          },
        },
      ],
    },
    status: {
      phase: phaseOf(pod),
      conditions: renderConditions(pod),
      ...(pod.failure === undefined ? {} : pod.failure),
      ...(pod.node === undefined ? {} : {hostIP: '10.0.0.11', podIP: pod.ip, podIPs: [{ip: pod.ip}]}),
      startTime: formatSecond(pod.createdNs),
      ...(hasStatuses && init.length > 0 ? {initContainerStatuses: statuses('init', 'sidecar')} : {}),
      ...(hasStatuses ? {containerStatuses: statuses('container')} : {}),
      ...(hasStatuses && ephemeral.length > 0 ? {ephemeralContainerStatuses: statuses('ephemeral')} : {}),
      qosClass: 'BestEffort',
    },
  };
};
