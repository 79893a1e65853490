import {type KubeSiteSettings, listNamed} from '../kube-settings.ts';
import type {KubePod} from '../objects/decode-pod.ts';
import {readRelease, type Workload} from '../objects/decode-workload.ts';
import {matchesLabels, parseLabelSelector} from '../objects/label-selector.ts';
import type {Rollout} from '../objects/workload-state.ts';

const readPhase = ({phase, isReady}: KubePod): Rollout => {
  switch (phase) {
    case 'Succeeded':
      return 'done';
    case 'Running':
      return isReady ? 'done' : 'progressing';
    case 'Pending':
      return 'progressing';
    default:
      return 'failed';
  }
};

/** Returns a pod as what makes it: itself. Its variables are not kept, as those of other pods are not. */
const makePodWorkload = (pod: KubePod): Workload => {
  const {uid, resourceVersion, name, namespace, labels, createdAtMs, phase, containers} = pod;
  return {
    ...{uid, resourceVersion, name, namespace, labels, createdAtMs},
    kind: 'pod',
    owner: pod.owner,
    release: readRelease(JSON.parse(pod.metadataText)),
    selector: undefined,
    changeCause: '',
    state: {
      rollout: readPhase(pod),
      isInUse: phase === 'Running' || phase === 'Succeeded',
      wanted: 1,
      existing: undefined,
      conditions: new Map(),
      failure: undefined,
      revision: undefined,
    },
    containers: containers
      .filter(container => container.kind === 'app')
      .map(container => ({name: container.name, image: container.image, variables: []})),
    defaultContainer: undefined,
  };
};

/**
 * Creates a finder of the pods of a site that are branches of their own: pods that no workload has made and no selector
 * chooses, and those that the settings name, whoever has made them. It returns the same workload for a pod as long as
 * neither changes.
 */
export const createOwnPods = (site: KubeSiteSettings) => {
  const named = listNamed(site).filter(({kind}) => kind === 'pod');
  const chosen = site.branches.flatMap(({selector}) => (selector === undefined ? [] : [parseLabelSelector(selector)]));
  let known: readonly Workload[] | undefined;
  let selectors = chosen;
  let found = new WeakMap<KubePod, {readonly workload: Workload | undefined}>();

  const isOwn = ({name, owner, labels}: KubePod): boolean =>
    named.some(word => word.name === name) ||
    (owner === undefined && !selectors.some(each => matchesLabels(labels, each)));

  return (workloads: readonly Workload[], pods: readonly KubePod[]): readonly Workload[] => {
    if (known !== workloads) {
      known = workloads;
      selectors = [...chosen, ...workloads.flatMap(({selector}) => (selector === undefined ? [] : [selector]))];
      found = new WeakMap();
    }
    return pods.flatMap(pod => {
      const {workload} = found.get(pod) ?? {workload: isOwn(pod) ? makePodWorkload(pod) : undefined};
      found.set(pod, {workload});
      return workload === undefined ? [] : [workload];
    });
  };
};
